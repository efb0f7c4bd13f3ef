/** How each recorded kimi stream must end, decided from what was measured of it. `stopped` is what the recorder ended. */
import type { Expected } from '../../kit/conformance.ts'

export const expected: Expected = {
  'agentfile-ro': 'succeeded',
  auto: 'error',
  badmodel: 'model_unavailable',
  e401: 'auth',
  e429: 'rate_limited',
  e500: 'stopped',
  'effort-env': 'succeeded',
  hang: 'stopped',
  noauth: 'auth',
  plan: 'error',
  resume: 'succeeded',
  'resume-bad': 'error',
  'resume-othercwd': 'error',
  'stdin-dash': 'succeeded',
  'stdin-only': 'error',
  success: 'succeeded',
  text: 'invalid_output',
  tool: 'succeeded',
  yolo: 'error',
}
