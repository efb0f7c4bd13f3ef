/** Rules of one worker that need no provider: which fields go together, and that folder, task and texts can be used. Pure. */
import { type Finding, quoted } from './finding.ts'
import { isWorkerId, noteLimits } from './names.ts'
import type { WorkerField, WorkerPart } from './plan-parts.ts'
import { safeSeedPath } from './seed-path.ts'
import { characters, oneLine } from './texts.ts'
import { unsafeWord } from './unsafe.ts'

type Rule = (worker: WorkerPart) => readonly Finding[]

/** A rule with the fields it reads: it runs where all of them hold. */
const rules: readonly (readonly [readonly WorkerField[], Rule])[] = [
  [['id'], ({ fields: { id }, at }) => id === undefined || isWorkerId(id) ? [] : [at('id',
    `The id ${quoted(id)} cannot be the name of a folder on every system`, 'no dot at the end, not "con", not "constructor"')]],
  [['why'], ({ fields: { why }, at }) => noteFault('why', why, noteLimits.workerWhy).map(message => at('why', message))],
  [['task', 'taskFile'], oneTask],
  [['isolate', 'mode'], ({ fields: { isolate, mode }, label, at }) => isolate && mode !== 'write'
    ? [at('isolate', `${label} needs no worktree in mode "read-only"`, 'leave "isolate" out, or set "mode": "write"')] : []],
  [['isolate', 'seedPaths'], ({ fields: { isolate, seedPaths: seeds }, label, at }) => isolate || !seeds?.length ? [] : [at('seedPaths',
    `${label} has seedPaths but no worktree to bring them to`, 'set "isolate": true, or leave "seedPaths" out')]],
  [['seedPaths'], unsafeSeeds],
  [['isolate', 'resume'], ({ fields: { isolate, resume }, label, at }) => isolate && resume ? [at('resume',
    `${label} cannot resume in a new worktree: a session belongs to its folder`, 'leave out "isolate" or "resume"')] : []],
  [['tier', 'model', 'effort'], pinnedTier],
  [['cwd'], ({ fields: { cwd }, facts, label, at }) => cwd !== undefined && facts && !facts.isFolder
    ? [at('cwd', `The folder of ${label.replace(/^W/, 'w')} does not exist: ${quoted(facts.cwd)}`)] : []],
  [['args', 'allowUnsafe'], unsafeArgs],
]

/** What is wrong in one worker by itself. */
export const workerFindings = (worker: WorkerPart): Finding[] =>
  rules.flatMap(([reads, rule]) => worker.holds(...reads) ? rule(worker) : [])

const inList = (finding: Finding, index: number): Finding => ({ ...finding, path: [...finding.path, index] })

/** A title or reason that is too long as it will be kept. */
export function noteFault(name: string, text: string | undefined, most: number): string[] {
  const length = text === undefined ? 0 : characters(oneLine(text))
  return length > most ? [`"${name}" has ${length} characters, at most ${most} are allowed`] : []
}

function oneTask({ fields: { task, taskFile }, facts, label, at }: WorkerPart): Finding[] {
  const isBoth = task !== undefined && taskFile !== undefined
  if (isBoth) return [at('taskFile', `${label} has both "task" and "taskFile"`, 'keep one of them')]
  if (task === undefined && taskFile === undefined) return [at('task', `${label} needs "task" or "taskFile"`)]
  return facts?.taskFault ? [at('taskFile', facts.taskFault)] : []
}

function unsafeSeeds({ fields: { seedPaths }, at }: WorkerPart): Finding[] {
  const hint = 'no absolute path, no "..", no pattern'
  return seedPaths?.flatMap((path, index) => safeSeedPath(path) !== null ? []
    : [inList(at('seedPaths', `The seed path ${quoted(path)} must be a plain path inside the repository`, hint), index)]) ?? []
}

function pinnedTier({ fields: { tier, model, effort }, label, at }: WorkerPart): Finding[] {
  const pinned = model ? 'a model' : effort ? 'an effort' : undefined
  if (!pinned || !tier || tier === 'standard') return []
  return [at('tier', `${label} has the tier "${tier}" and names ${pinned}`, 'leave one of them out')]
}

function unsafeArgs({ fields: { args, allowUnsafe }, label, at }: WorkerPart): Finding[] {
  if (allowUnsafe) return []
  return args?.flatMap((arg, index) => {
    const word = unsafeWord(arg)
    return word === undefined ? [] : [inList(at('args', `${label} turns its program's safety off with ${quoted(word)}`,
      'remove it; only when the user asked for exactly that: "allowUnsafe": true'), index)]
  }) ?? []
}
