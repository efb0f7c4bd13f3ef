/** What is installed here: each provider's program, version and login, asked side by side. */
import { Fail, fail } from '../base/fail.ts'
import { nearest } from '../base/text.ts'
import type { Host } from '../io/host.ts'
import { launchWords, which } from '../io/which.ts'
import { type Capabilities, providerNamed, providerNames } from '../model/capabilities.ts'
import type { ProbeReport, Provider } from '../plugin/provider.ts'
import { answerOf } from './plugin-calls.ts'
import { cliOf } from './resolve.ts'
import { type Setup, setUp } from './setup.ts'

export interface ProbedProvider {
  readonly provider: string
  readonly installed: boolean
  readonly executable?: string
  readonly version?: string
  /** Absent where the CLI has no way to tell. */
  readonly loggedIn?: boolean
  readonly notes?: readonly string[]
  readonly capabilities: Capabilities
}
export interface Probed { readonly providers: readonly ProbedProvider[]; readonly problems: readonly string[] }

/** Probes the named providers, or all that have a program of their own. */
export async function probeProviders(host: Host, entry: string, names: readonly string[], plugins?: readonly string[]): Promise<Probed> {
  const setup = await setUp(host, entry, plugins)
  const wanted = names.length > 0 ? names.map(name => named(setup, name)) : [...setup.providers.values()].filter(({ can }) => !can.ownCommand)
  return {
    providers: await Promise.all(wanted.map(provider => probeOne(host, setup, provider))),
    problems: setup.problems.map(problem => problem.message),
  }
}

function named(setup: Setup, name: string): Provider {
  const provider = setup.providers.get(providerNamed(name, setup.facts)?.id ?? '')
  if (provider) return provider
  const near = nearest(name, providerNames(setup.facts))
  throw fail('provider.unknown', `There is no provider "${name}"`, { hint: near ? `probe ${near}` : `probe ${[...setup.providers.keys()].join(' ')}` })
}

/** A plugin that cannot probe says so in its own line. */
function unanswered(error: unknown): ProbeReport {
  if (!(error instanceof Fail)) throw error
  return { version: null, loggedIn: null, notes: [error.message] }
}

async function probeOne(host: Host, { env }: Setup, provider: Provider): Promise<ProbedProvider> {
  const file = await which(provider.executable, env, host.cwd, host.platform)
  if (!file) return { provider: provider.id, installed: false, capabilities: provider.can }
  const cli = cliOf(host, env, await launchWords(file, host.platform))
  const { version, loggedIn, notes } = await answerOf(provider.id, async () => provider.probe?.(cli)).catch(unanswered) ?? { version: null, loggedIn: null }
  return {
    provider: provider.id, installed: true, executable: file,
    ...(version === null ? {} : { version }), ...(loggedIn === null ? {} : { loggedIn }), ...(notes?.length ? { notes } : {}),
    capabilities: provider.can,
  }
}
