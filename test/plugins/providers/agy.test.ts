/** The agy provider against what every provider must hold. */
import agy from '../../../plugins/providers/agy.ts'
import { conformance } from '../../kit/conformance.ts'
import { streamsOf } from '../../kit/streams.ts'
import { expected } from './agy-expected.ts'

conformance(agy, { streams: streamsOf('agy'), expected })
