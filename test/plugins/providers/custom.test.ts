/** The custom provider against what every provider must hold. */
import custom from '../../../plugins/providers/custom.ts'
import { conformance } from '../../kit/conformance.ts'
import { streamsOf } from '../../kit/streams.ts'
import { expected } from './custom-expected.ts'

const own = {
  command: 'my-agent', args: ['--fast'], promptTransport: 'argument', outputFormat: 'jsonl', allowUnsafe: false,
} as const
conformance(custom, { streams: streamsOf('custom'), expected, task: { own } })
