/** The claude provider against what every provider must hold. */
import claude from '../../../plugins/providers/claude.ts'
import { conformance } from '../../kit/conformance.ts'
import { streamsOf } from '../../kit/streams.ts'
import { expected } from './claude-expected.ts'

conformance(claude, { streams: streamsOf('claude'), expected })
