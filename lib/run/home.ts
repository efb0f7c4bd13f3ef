/**
 * Where runs live: private folders under the orchestrations home, found again by an index of lines. A worker's sandbox may write
 * to the system's temporary folder, so runs are never kept there.
 */
import { randomBytes } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { type Fail, fail, systemCode } from '../base/fail.ts'
import { appendLine, exists, isFolder, makeFolder, namesIn, parseJson, tailOf } from '../io/files.ts'
import { folderWithGit } from '../io/git.ts'
import type { Host } from '../io/host.ts'
import { isOwn } from '../io/owner.ts'
import { removeIfEmpty } from '../io/tree-files.ts'
import { policyPath } from '../model/policy-place.ts'
import { stateFile } from './layout.ts'

const indexFile = 'runs.jsonl'
/** How far back the index is searched, in bytes. */
const indexTail = 256 * 1024
const IndexLine = v.looseObject({ folder: v.string(), project: v.string(), plugins: v.exactOptional(v.array(v.string())) })
type IndexLine = v.InferOutput<typeof IndexLine>

/** ALETHE_ORCHESTRATE_HOME, else `orchestrations` beside the policy file. */
export function homeOf(host: Host): string {
  const configured = host.env['ALETHE_ORCHESTRATE_HOME']
  return configured ? resolve(host.cwd, configured) : join(dirname(policyPath(host)), 'orchestrations')
}

/** The project that a folder belongs to: the nearest folder upwards with a `.git`, else the folder itself. No git is asked. */
export const projectOf = (cwd: string): string => folderWithGit(cwd) ?? resolve(cwd)

export interface NewRun { readonly runId: string; readonly folder: string }
export interface NewRunOptions {
  /** A folder of the caller's choice; it must be empty and the user's own. */
  readonly runDir?: string | undefined
  /** Plugin files that the caller named. They are kept in the index, which is the user's alone, and never read from a run's folder. */
  readonly plugins?: readonly string[] | undefined
}

/**
 * Makes the folder of a new run and enters it into the index. Nothing is made when it is refused.
 * @throws `Fail('run.unwritable')` naming what cannot be made or written
 */
export async function newRun(host: Host, { runDir, plugins = [] }: NewRunOptions = {}): Promise<NewRun> {
  const runId = randomBytes(4).toString('hex')
  const home = homeOf(host)
  const startedAt = new Date(host.clock.now()).toISOString()
  const stamp = startedAt.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const folder = runDir ? resolve(host.cwd, runDir) : join(home, `run-${stamp}-${runId}`)
  const isThere = await isFolder(folder)
  if (isThere) await refuseFull(folder)
  return written(folder, async () => {
    await makeFolder(home)
    await refuseForeign(home)
    await makeFolder(folder)
    try {
      await appendLine(join(home, indexFile), JSON.stringify({ folder, project: projectOf(host.cwd), startedAt, ...(plugins.length > 0 ? { plugins: plugins.map(file => resolve(host.cwd, file)) } : {}) }))
    } catch (error) {
      if (!isThere) await removeIfEmpty(folder)
      throw error
    }
    return { runId, folder }
  })
}

/** Does `body`, which writes the first files of a run. What the system says against it is `Fail('run.unwritable')` with the path. */
export async function written<T>(folder: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined || code.startsWith('ERR_')) throw error
    const path = error instanceof Error && 'path' in error ? String(error.path) : folder
    throw fail('run.unwritable', `Cannot keep a run in "${folder}": "${path}" cannot be made or written (${code})`, {
      hint: 'name a folder that can be written with --run-dir or ALETHE_ORCHESTRATE_HOME', facts: { systemCode: code, file: path },
    })
  }
}

async function refuseFull(folder: string): Promise<void> {
  await refuseForeign(folder)
  if ((await namesIn(folder)).length > 0) {
    throw folderTaken(folder)
  }
}

export const folderTaken = (folder: string): Fail =>
  fail('run.folder-not-empty', `Cannot start a run in "${folder}": the folder is not empty`, { hint: 'name a new folder with --run-dir, or leave it out' })

async function refuseForeign(folder: string): Promise<void> {
  if (!await isOwn(folder)) {
    throw fail('run.folder-foreign', `Cannot use "${folder}": it belongs to another user or others may write to it`, { hint: `chmod go-w "${folder}" if it is yours, or name another with --run-dir or ALETHE_ORCHESTRATE_HOME` })
  }
}

/**
 * The run folder meant by a command: the one named, else the newest of this project, else the newest of all.
 * Nothing to be found is `Fail('run.not-found')`; a folder that others may write to is `Fail('run.folder-foreign')`, as its records say
 * what is signalled.
 */
export async function findRun(host: Host, named?: string): Promise<string> {
  if (named === undefined) {
    for await (const folder of knownRuns(host)) return ownRun(folder)
    throw fail('run.not-found', 'Cannot find a run: none was started yet', { hint: 'run PLAN' })
  }
  const folder = resolve(host.cwd, named)
  if (await exists(join(folder, stateFile))) return ownRun(folder)
  throw fail('run.not-found', `Cannot find a run in "${folder}": it has no ${stateFile}`, { hint: 'name the folder that `run` printed' })
}

async function ownRun(folder: string): Promise<string> {
  await refuseForeign(folder)
  return folder
}

/** Folders of runs that are there: this project's, newest first, then all others. */
export async function* knownRuns(host: Host): AsyncGenerator<string> {
  const runs = await indexed(host)
  const own = ownRuns(host, runs)
  for (const { folder } of new Set([...own, ...runs])) if (await exists(join(folder, stateFile))) yield folder
}

/** Folders of this project's runs that are there, newest first. */
export async function* projectRuns(host: Host): AsyncGenerator<string> {
  for (const { folder } of ownRuns(host, await indexed(host))) if (await exists(join(folder, stateFile))) yield folder
}

function ownRuns(host: Host, runs: readonly IndexLine[]): IndexLine[] {
  const project = projectOf(host.cwd)
  return runs.filter(each => each.project === project)
}

/** Lines of the index, newest first, one for each folder. */
async function indexed(host: Host): Promise<IndexLine[]> {
  const lines = (await tailOf(join(homeOf(host), indexFile), indexTail)).split('\n').reverse()
  const runs = lines.map(line => parseJson(IndexLine, line)).filter(line => line !== null)
  const newest = new Map<string, IndexLine>()
  for (const run of runs) if (!newest.has(run.folder)) newest.set(run.folder, run)
  return [...newest.values()]
}

/** Plugin files that were named when a run was started, as absolute paths. */
export const pluginsOf = async (host: Host, folder: string): Promise<readonly string[]> =>
  (await indexed(host)).find(line => line.folder === folder)?.plugins ?? []

/** The run's id as its folder name tells it, for folders without a readable state. */
export const runIdOf = (folder: string): string | undefined => /-([0-9a-f]{8})$/.exec(basename(folder))?.[1]
