/**
 * Ends a process with everything it started: its own stop signals in their order, then TERM, then KILL for the whole tree and for
 * strays that left the group. Works for children of ours and, by identity, for those of a runner that died.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Family, type FamilyOptions, type LastWaits } from './family.ts'
import { type Identity, identityOf, lifeOf, mayBeSignalled } from './identity.ts'
import { isRunningChild, letGo } from './start.ts'
import { familyOf, readTable } from './table.ts'

export interface EndOptions extends Pick<FamilyOptions, 'marker' | 'signal'>, LastWaits {
  /** Signals for the group, in order, before TERM and KILL for the whole tree. */
  readonly signals: readonly NodeJS.Signals[]
  /** How long each of them is waited for. */
  readonly signalGraceMs?: number
}

export interface Survivors { readonly survivors: readonly Identity[] }

/**
 * Ends the tree of `target`. A process that is not the very one of that identity is never signalled; its id alone proves nothing.
 * Resolves as soon as all are gone; those that live on in spite of KILL, or cannot be told from a stranger, are returned.
 */
export async function endProcess(target: Identity, options: EndOptions): Promise<Survivors> {
  if (process.platform === 'win32') return endTree(target)
  const family = new Family(target, options)
  await family.gather()
  for (const signal of options.signals) {
    if (family.sendToGroup(signal)) await family.gone(options.signalGraceMs ?? 3_000, row => row.pgid === target.pid)
  }
  const { survivors } = await family.end(options)
  letGo(target.pid)
  return { survivors: lifeOf(target) === 'unverifiable' ? [...survivors, target] : survivors }
}

/**
 * Ends whatever carries a marker, with no process to start from: for a whole run, `<runId>/`. Finds nothing where the environment
 * of others cannot be read (not Linux).
 */
export async function endMarked(marker: string, options: Pick<FamilyOptions, 'signal'> & LastWaits = {}): Promise<Survivors> {
  const { survivors } = await new Family(null, { ...options, marker }).end(options)
  return { survivors }
}

export interface TreeWays {
  readonly killTree: (pid: number) => Promise<void>
  readonly platform: NodeJS.Platform
  readonly waitMs: number
}

const treeWays: TreeWays = {
  killTree: async pid => {
    const { default: fkill } = await import('fkill')
    // `silent` hides only that it is gone already or refused: who survives is looked up afterwards.
    await fkill(pid, { force: true, tree: true, silent: true })
  },
  platform: 'win32',
  waitMs: 2_000,
}

/**
 * The way of Windows, which has neither groups nor signals: the whole tree at once. Only for children of ours that still run,
 * since nothing else can be told from a stranger there.
 */
export async function endTree(target: Identity, { killTree, platform, waitMs }: TreeWays = treeWays): Promise<Survivors> {
  if (!isRunningChild(target.pid) || !mayBeSignalled(target.pid)) return { survivors: lifeOf(target) === 'dead' ? [] : [target] }
  const family = familyOf(await readTable(platform), [target.pid], new Set())
  await killTree(target.pid)
  const deadline = performance.now() + waitMs
  for (;;) {
    const table = await readTable(platform)
    const left = family.filter(row => table.has(row.pid))
    if (left.length === 0 || performance.now() > deadline) {
      letGo(target.pid)
      return { survivors: left.map(identityOf) }
    }
    await pause(50)
  }
}
