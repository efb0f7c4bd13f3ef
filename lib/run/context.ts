/** What the parts of one running wave share. */
import type { Mask } from '../base/mask.ts'
import type { Host } from '../io/host.ts'
import type { Sweeper } from '../io/process/sweep.ts'
import type { LiveSign, Provider } from '../plugin/provider.ts'
import type { Board } from './board.ts'
import type { SnapshotQueue } from '../git/snapshot-queue.ts'
import type { Sharing } from './sharing.ts'
import type { ResolvedWorker } from './resolve.ts'
import type { Ticker } from './ticker.ts'

/** What a watcher is told while a wave runs. */
export type WaveEvent =
  | { readonly event: 'started'; readonly worker: string; readonly provider: string }
  | { readonly event: 'sign'; readonly worker: string; readonly sign: LiveSign }
  | { readonly event: 'ended'; readonly worker: string; readonly status: string; readonly error?: string }

/** Times that tests shorten. */
export interface Pace {
  /** How long a process may live on after its answer. */
  readonly lingerMs: number
  readonly signalGraceMs: number
  readonly termGraceMs: number
  readonly maxOutputBytes: number
}

export const usualPace: Pace = { lingerMs: 15_000, signalGraceMs: 3_000, termGraceMs: 5_000, maxOutputBytes: 2 * 1024 ** 3 }

export interface WaveContext {
  readonly host: Host
  readonly runId: string
  readonly folder: string
  readonly providers: ReadonlyMap<string, Provider>
  /** Every child's environment before its own variables. */
  readonly env: Readonly<Record<string, string>>
  readonly mask: Mask
  readonly board: Board
  readonly ticker: Ticker
  readonly sweeper: Sweeper
  readonly sharing: Sharing
  readonly snapshots: SnapshotQueue
  readonly stop: AbortSignal
  readonly pace: Pace
  readonly emit: (event: WaveEvent) => void
}

export const providerOf = (wave: Pick<WaveContext, 'providers'>, worker: Pick<ResolvedWorker, 'provider'>): Provider => {
  const provider = wave.providers.get(worker.provider)
  if (!provider) throw new Error(`There is no provider "${worker.provider}"`)
  return provider
}
