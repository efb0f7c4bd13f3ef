/**
 * A run in a few lines for whoever reads the screen, first of all a model: worst news first, nothing that is known already, and the
 * folder that holds the rest.
 */
import { paint, type Style } from '../base/style.ts'
import { cleanLine, count, cutTo, duration, fitting, listed, plural } from '../base/text.ts'
import { failureHints, isFailureKind } from '../model/failure.ts'
import type { State, WaveState, WorkerEntry } from '../model/state.ts'
import type { Started } from '../run/open.ts'
import type { Stopped } from '../run/stop.ts'
import type { SeenRun } from '../run/wait.ts'
import type { WaveResult } from '../run/wave.ts'

export interface RunFacts {
  readonly status: WaveState
  readonly runDir: string
  readonly workers: readonly WorkerEntry[]
  readonly budgetUsage?: State['budgetUsage']
  readonly elapsedSeconds?: number
}

/** Workers shown one by one, as many as fit into so many bytes; the rest are counted. */
const shownWorkers = 24
const shownBytes = 5 * 1024
const lineWidth = 200

const order: readonly WorkerEntry['status'][] = ['failed', 'timed_out', 'interrupted', 'stopped', 'skipped', 'running', 'queued', 'succeeded']

/** The run as text, without a final newline. */
export function runText(run: RunFacts): string {
  const sorted = [...run.workers].sort((a, b) => rank(a) - rank(b))
  const first = sorted.slice(0, shownWorkers)
  const width = Math.min(24, Math.max(...first.map(worker => worker.id.length), 2))
  const hints = new Set<string>()
  const blocks = first.map(worker => {
    const kind = worker.failureKind
    const hint = kind && isFailureKind(kind) && !hints.has(kind) ? failureHints[kind] : undefined
    if (kind) hints.add(kind)
    return [workerLine(worker, width), ...(hint ? [paint('dim', `${' '.repeat(width + 13)}next: ${hint}`)] : [])].join('\n')
  })
  const shown = fitting(blocks, shownBytes)
  const rest = sorted.length - shown.length
  return [headline(run), ...shown, ...(rest > 0 ? [`… ${rest} more in state.json`] : []), run.runDir].join('\n')
}

/** Trouble sorts first, also among the succeeded: a worker that broke its rules is not good news. */
const rank = (worker: WorkerEntry): number => order.indexOf(worker.status) * 2 - (trouble(worker).length > 0 && worker.status === 'succeeded' ? 1 : 0)

function headline(run: RunFacts): string {
  const of = (status: WorkerEntry['status']): number => run.workers.filter(worker => worker.status === status).length
  const counts = order.filter(status => status !== 'succeeded' && of(status) > 0).map(status => `${of(status)} ${status.replace('_', ' ')}`)
  const usage = run.budgetUsage ?? {}
  const seconds = run.elapsedSeconds ?? usage['wallSeconds'] ?? undefined
  const spent = [
    ...(seconds === undefined ? [] : [duration(seconds * 1000)]),
    ...(typeof usage['reportedTokens'] === 'number' ? [`${count(usage['reportedTokens'])} tokens`] : []),
    ...(typeof usage['reportedCostUsd'] === 'number' ? [`$${usage['reportedCostUsd'].toFixed(2)}`] : []),
  ]
  return `${run.status}: ${[`${of('succeeded')} of ${run.workers.length} succeeded`, ...counts].join(', ')}${spent.length > 0 ? ` (${spent.join(', ')})` : ''}`
}

function workerLine(worker: WorkerEntry, width: number): string {
  const word = worker.status === 'succeeded' ? 'ok' : worker.status.replace('_', ' ')
  const told = cleanLine([...trouble(worker), ...news(worker)].join('; '))
  return cutTo(`${paint(styleOf(worker), word.padEnd(12))}${worker.id.padEnd(width)} ${told}`, lineWidth).trimEnd()
}

function styleOf(worker: WorkerEntry): Style {
  if (worker.status === 'succeeded') return trouble(worker).length > 0 ? 'yellow' : 'green'
  return worker.status === 'running' || worker.status === 'queued' ? 'cyan' : worker.status === 'skipped' ? 'yellow' : 'red'
}

/** What a lead must not overlook. */
function trouble(worker: WorkerEntry): string[] {
  const claim = worker.workerStatus
  return [
    ...(worker.readOnlyViolation ? [`changed ${plural(worker.touchedFiles?.length ?? 0, 'file')} though read-only`] : []),
    ...(worker.survivors?.length ? [`${plural(worker.survivors.length, 'process', 'processes')} still alive`] : []),
    ...(worker.verdict && worker.verdict !== 'PASS' ? [`verdict ${worker.verdict}`] : []),
    ...(claim && claim !== 'DONE' ? [`says ${claim}`] : []),
    ...(worker.permissionDenials?.length ? [`${worker.permissionDenials.length} denied: ${[...new Set(worker.permissionDenials)].join(', ')}`] : []),
    ...(worker.diffError ? [`no diff: ${worker.diffError}`] : []),
    ...(worker.notKept?.length ? [`not in the patch: ${listed(worker.notKept)}`] : []),
    ...(worker.commits?.length ? [`made ${plural(worker.commits.length, 'commit')}`] : []),
    ...(worker.warnings?.length ? [listed(worker.warnings, 2)] : []),
  ]
}

function news(worker: WorkerEntry): string[] {
  const { error, failureKind, workerSummary, diffStats } = worker
  const idle = worker.idleSeconds ?? 0
  return [
    ...(error ? [failureKind && worker.status === 'failed' ? `${failureKind}: ${error}` : error] : []),
    ...(worker.resetsAt ? [`resets ${worker.resetsAt}`] : worker.resetHint ? [worker.resetHint] : []),
    ...(worker.status === 'running' && idle >= 30 ? [`silent for ${idle} s`] : []),
    ...(workerSummary ? [workerSummary] : []),
    ...(worker.endedBy === 'lingered' ? ['ended after its answer, as it did not end itself'] : []),
    ...(worker.strays?.length ? [`ended ${plural(worker.strays.length, 'process', 'processes')} that it left`] : []),
    ...(worker.sharedCheckoutWith?.length && !worker.touchedFiles ? [`what it changed cannot be told: ${listed(worker.sharedCheckoutWith, 3)} wrote beside it`] : []),
    ...(diffStats && diffStats.files > 0 ? [`${plural(diffStats.files, 'file')} +${diffStats.added} -${diffStats.deleted}`] : []),
  ]
}

/** What `run` prints. */
export const ranText = (result: WaveResult | Started): string =>
  result.status === 'started' ? `started ${result.runDir} (runner ${result.pid})` : runText({ ...result, workers: [...result.workers] })

/** What `wait` and `status` print. */
export const viewText = (view: SeenRun): string => [runText(view), ...view.notes?.map(note => `note: ${note}`) ?? []].join('\n')

/** What `stop` prints: what it acted on, and what it found. */
export function stoppedText(stopped: Stopped & { readonly status: WaveState }): string {
  const what = stopped.wasOver ? `was over (${stopped.status})` : stopped.status
  const ended = stopped.ended > 0 ? `, ended ${plural(stopped.ended, 'left-over process', 'left-over processes')}` : ''
  const doubt = stopped.unverifiable.length > 0 ? `\nnot signalled, as they cannot be told from strangers: ${listed(stopped.unverifiable)}` : ''
  return `${what}${ended}: ${stopped.runDir}${doubt}`
}
