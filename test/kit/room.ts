/**
 * The private world of a test run: one temporary folder with a place for each test file, and environments that are written
 * from nothing, so that no test can read the user's home, configuration, credentials, agent session or git settings.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** What one test file may call its own. Whatever names `folder` in its environment or works in it belongs to that file. */
export interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Where `check.ts` reports tests. */
  readonly report: string
  /** Where stdout and stderr go. */
  readonly output: string
  clear(): Promise<void>
}

export interface Room extends AsyncDisposable { readonly path: string; place(): Promise<Place> }

/** No background jobs: git would leave processes behind. */
const gitConfig = `[user]
\tname = Tester
\temail = tester@example.invalid
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
[maintenance]
\tauto = false
`

const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

/** Removes a folder, also where a test took away the right to look into it. */
async function remove(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', folder], { stdio: 'ignore' })
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function makePlace(room: string, name: string): Promise<Place> {
  const folder = join(room, name)
  const report = join(folder, 'report.jsonl')
  const home = join(folder, 'home')
  const folders = {
    HOME: home, TMPDIR: join(folder, 'tmp'), XDG_CONFIG_HOME: join(home, '.config'), XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'), XDG_STATE_HOME: join(home, '.local/state'), XDG_RUNTIME_DIR: join(folder, 'run'),
  }
  for (const made of Object.values(folders)) await mkdir(made, { recursive: true, mode: 0o700 })
  // tsx keeps what it compiled under the temporary folder: shared, so that it is done once in a run and not once a file.
  await symlink(join(room, 'compiled'), join(folders.TMPDIR, `tsx-${process.geteuid?.()}`))
  const env = {
    ...folders, PATH: path, LANG: 'C.UTF-8', NO_COLOR: '1', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(room, 'gitconfig'), ALETHE_TEST_REPORT: report,
  }
  return { folder, env, report, output: join(folder, 'output.log'), clear: () => remove(folder) }
}

/** Makes the folder of a run; it is gone when its `await using` ends. */
export async function makeRoom(): Promise<Room> {
  const room = await realpath(await mkdtemp(join(tmpdir(), 'alethe-test-')))
  await mkdir(join(room, 'compiled'))
  await writeFile(join(room, 'gitconfig'), gitConfig)
  let places = 0
  return { path: room, place: () => makePlace(room, `${++places}`), [Symbol.asyncDispose]: () => remove(room) }
}
