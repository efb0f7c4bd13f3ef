/** Temporary repositories made with the real git, under settings of their own: the user's are never read. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { tempFolder } from './temp.ts'

/** A test file that is run alone has no settings from the runner. */
if (!process.env['GIT_CONFIG_GLOBAL']) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'alethe-git-home-')))
  const settings = ['[user]', 'name = Tester', 'email = tester@example.invalid', '[init]', 'defaultBranch = main', '[gc]', 'auto=0']
  writeFileSync(join(home, 'config'), settings.map(line => `${line}\n`).join(''))
  Object.assign(process.env, { GIT_CONFIG_GLOBAL: join(home, 'config'), GIT_CONFIG_NOSYSTEM: '1', HOME: home })
  process.on('exit', () => { rmSync(home, { recursive: true, force: true }) })
}

type Files = Readonly<Record<string, string | Uint8Array>>

export interface Repo extends AsyncDisposable {
  /** Top folder. */
  readonly path: string
  /** The temporary folder around it, for things outside the repository. */
  readonly outside: string
  /** Runs git in the top folder and returns what it printed, without the last line end; throws when it fails. */
  git(...args: readonly string[]): string
  /** Writes files; `null` removes one. Parents are made. */
  write(files: Readonly<Record<string, string | Uint8Array | null>>): void
  /** Adds everything and commits. */
  commit(message?: string): string
  read(path: string): Promise<Buffer>
}

export function gitAt(cwd: string, ...args: readonly string[]): string {
  const foreign = /^GIT_(?!CONFIG_(?:GLOBAL|NOSYSTEM))/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8', maxBuffer: 512 * 1024 * 1024 })
  if (status !== 0) throw new Error(`git ${args.join(' ')} in ${cwd} gave ${status}: ${stderr}`)
  return stdout.replace(/\n$/, '')
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array | null>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    if (content === null) rmSync(file, { recursive: true, force: true })
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
}

/** A repository with `files` in its first commit; without files it has no commit. */
export async function makeRepo(files: Files | null = { 'f.txt': 'one\ntwo\nthree\n' }): Promise<Repo> {
  const temp = await tempFolder('repo')
  const path = join(temp.path, 'work')
  mkdirSync(path)
  const repo: Repo = {
    path, outside: temp.path,
    git: (...args) => gitAt(path, ...args),
    write: given => { writeFiles(path, given) },
    commit: (message = 'change') => {
      gitAt(path, 'add', '-A')
      gitAt(path, 'commit', '-q', '--allow-empty', '-m', message)
      return gitAt(path, 'rev-parse', 'HEAD')
    },
    read: file => readFile(join(path, file)),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  }
  repo.git('init', '-q')
  if (files) {
    repo.write(files)
    repo.commit('first')
  }
  return repo
}

/** Sets variables of this process for the time of `body`. */
export async function withEnv<T>(variables: Readonly<Record<string, string>>, body: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(Object.keys(variables).map(name => [name, process.env[name]]))
  Object.assign(process.env, variables)
  try {
    return await body()
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    }
  }
}
