/** The kimi provider against what every provider must hold. */
import kimi from '../../../plugins/providers/kimi.ts'
import { conformance } from '../../kit/conformance.ts'
import { streamsOf } from '../../kit/streams.ts'
import { expected } from './kimi-expected.ts'

conformance(kimi, { streams: streamsOf('kimi'), expected })
