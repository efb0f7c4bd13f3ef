/** How recorded streams of CLIs without a plugin of their own must end as JSON lines of a custom worker. */
import type { Expected } from '../../kit/conformance.ts'

export const expected: Expected = {
  'copilot-e401': 'auth',
  'copilot-tool-allow': 'succeeded',
  'gemini-e401': 'error',
  'gemini-success': 'succeeded',
  'grok-tool-default': 'error',
  'opencode-ask': 'no_result',
  'opencode-e401': 'auth',
  'opencode-tool': 'succeeded',
  'pi-e401': 'no_result',
  'qwen-success': 'succeeded',
}
