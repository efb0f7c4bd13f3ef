/** The codex provider against what every provider must hold. */
import codex from '../../../plugins/providers/codex.ts'
import { conformance } from '../../kit/conformance.ts'
import { streamsOf } from '../../kit/streams.ts'
import { expected } from './codex-expected.ts'

conformance(codex, { streams: streamsOf('codex'), expected })
