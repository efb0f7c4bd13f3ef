/**
 * Installs the real CLIs that these tests drive, once, from the npm registry into a cache outside the repository:
 * ALETHE_REAL_CACHE, else `alethe-real` in XDG_CACHE_HOME (`~/.cache`). What is there already is used as it is. Each program is
 * made in a folder of its own and renamed into place, so that two runs at once do not disturb each other.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './program.ts'

/** One program in one version. */
export interface Cli {
  /** As tests name it: `claude-old`. */
  readonly key: string
  /** The name of its program on PATH. */
  readonly program: 'claude' | 'codex'
  readonly version: string
  readonly spec: string
  /** The program below its folder. */
  readonly file: string
}

export interface Installed extends Cli { readonly path: string }

/** Platform packages hold Claude's program itself, so that any version installs on any Node. */
const claude = (key: string, version: string): Cli => {
  const name = `@anthropic-ai/claude-code-linux-${process.arch}`
  return { key, program: 'claude', version, spec: `${name}@${version}`, file: `node_modules/${name}/claude` }
}

export const oldClaude = claude('claude-old', '2.1.197')
export const newClaude = claude('claude-new', '2.1.332')
export const codex: Cli = { key: 'codex', program: 'codex', version: '0.171.0', spec: '@openai/codex@0.171.0', file: 'node_modules/.bin/codex' }
export const claudes: readonly Cli[] = [oldClaude, newClaude]
export const clis: readonly Cli[] = [...claudes, codex]

const markerFile = 'installed.json'
/** What a run that was killed left may be removed after this; none takes so long. */
const staleMs = 60 * 60 * 1000
const installLimitMs = 10 * 60 * 1000

/** Why real CLIs cannot be tested on this machine; undefined where they can. */
export function cannotTest(): string | undefined {
  if (process.platform !== 'linux') return `the real CLIs are tested on Linux only, this is ${process.platform}`
  if (process.arch !== 'x64' && process.arch !== 'arm64') return `there are no programs for ${process.arch}`
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return header?.glibcVersionRuntime ? undefined : 'the programs need glibc'
}

export const cacheFolder = (): string =>
  process.env['ALETHE_REAL_CACHE'] || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'alethe-real')

const folderOf = (cli: Cli): string => join(cacheFolder(), `${cli.key}-${cli.version}-${process.arch}`)

/** Where a program is; throws when it was not installed. */
export async function installed(cli: Cli): Promise<Installed> {
  const found = await lookUp(cli)
  if (!found) throw new Error(`${cli.spec} is not in ${cacheFolder()}: run \`npm run test:real\` once`)
  return found
}

async function lookUp(cli: Cli): Promise<Installed | null> {
  const marker = await readFile(join(folderOf(cli), markerFile), 'utf8').catch(() => null)
  if (marker === null || (JSON.parse(marker) as { spec?: string }).spec !== cli.spec) return null
  return { ...cli, path: join(folderOf(cli), cli.file) }
}

/** Installs what is missing, one after the other. `say` is told what is going on. */
export async function installAll(say: (line: string) => void): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true })
  await removeStale()
  for (const cli of clis) {
    if (!await lookUp(cli)) {
      say(`installing ${cli.spec} into ${cacheFolder()} …`)
      await install(cli)
    }
    say(`${cli.key}: ${await versionOf(await installed(cli))} (${cli.spec})`)
  }
}

async function install(cli: Cli): Promise<void> {
  const part = join(cacheFolder(), `.part-${randomBytes(6).toString('hex')}`)
  await mkdir(part)
  try {
    await run('npm', ['install', '--prefix', part, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', cli.spec], part)
    await stat(join(part, cli.file))
    await writeFile(join(part, markerFile), JSON.stringify({ spec: cli.spec }))
    await rename(part, folderOf(cli)).catch(async (error: unknown) => {
      // Another run was quicker, or a folder without a marker stands there.
      if (await lookUp(cli)) return
      await rm(folderOf(cli), { recursive: true, force: true })
      await rename(part, folderOf(cli)).catch(() => { throw error })
    })
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

/** Removes what a run that was killed left: half an installation, or the folder of its tests. */
async function removeStale(): Promise<void> {
  const places = [join(cacheFolder(), 'runs'), cacheFolder()]
  for (const place of places) {
    const names = await readdir(place).catch(() => [])
    for (const path of names.filter(name => place !== cacheFolder() || name.startsWith('.part-')).map(name => join(place, name))) {
      const made = (await stat(path).catch(() => null))?.mtimeMs
      if (made !== undefined && Date.now() - made > staleMs) await rm(path, { recursive: true, force: true })
    }
  }
}

/** What the installed program says of itself. */
async function versionOf(cli: Installed): Promise<string> {
  // A home of its own, which goes with the folder.
  const home = join(folderOf(cli), 'home')
  const said = await run(cli.path, ['--version'], folderOf(cli), { HOME: home, CODEX_HOME: home, PATH: process.env['PATH'], DISABLE_AUTOUPDATER: '1' })
  if (!said.includes(cli.version)) throw new Error(`${cli.path} is not ${cli.version}: it says "${said.trim()}"`)
  return cli.version
}

/** Runs a program and returns what it printed; rejects with its output when it fails. */
async function run(file: string, args: readonly string[], cwd: string, env = process.env): Promise<string> {
  const { code, signal, stdout, stderr } = await runProgram(file, args, { cwd, env, limitMs: installLimitMs })
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${signal ?? code}: ${stderr.trim() || stdout.trim()}`)
  return stdout
}
