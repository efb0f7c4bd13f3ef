/** How each agy stream must end. They are written by hand in the shapes that others captured: agy could not be run. */
import type { Expected } from '../../kit/conformance.ts'

export const expected: Expected = {
  canceled: 'error',
  'denied-actions': 'permission',
  'denied-but-answered': 'succeeded',
  'denied-stderr': 'permission',
  'empty-success': 'no_result',
  quota: 'rate_limited',
  'silent-old': 'no_result',
  success: 'succeeded',
  'timeout-old': 'timed_out',
  'timeout-partial': 'timed_out',
}
