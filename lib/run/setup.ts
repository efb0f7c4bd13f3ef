/**
 * What commands that read or run plans begin with: the plugins, what they can do, and the plan checked and resolved against them.
 * The code for that is loaded when it is asked for: a command that only says what it is for needs none of it.
 */
import { resolve } from 'node:path'
import { Fail, fail, type Problem } from '../base/fail.ts'
import { baseEnv, insideWorker } from '../io/env.ts'
import type { Host } from '../io/host.ts'
import { which } from '../io/which.ts'
import type { ProviderFacts } from '../model/capabilities.ts'
import { policyPath } from '../model/policy-place.ts'
import type { Provider } from '../plugin/provider.ts'
import type { Resolved } from './resolve.ts'

export interface Setup {
  readonly providers: ReadonlyMap<string, Provider>
  readonly facts: readonly ProviderFacts[]
  /** Plugins that could not be loaded. */
  readonly problems: readonly Problem[]
  /** Every child's environment before its own variables. */
  readonly env: Readonly<Record<string, string>>
}

/** Loads the plugins and looks which of their programs are there. */
export async function setUp(host: Host, entry: string, plugins: readonly string[] = []): Promise<Setup> {
  const { discoverProviders } = await import('./discover.ts')
  const { found, problems } = await discoverProviders(host, entry, plugins)
  const providers = new Map(found.map(({ provider }) => [provider.id, provider]))
  const env = baseEnv(host.env, found.flatMap(({ provider }) => provider.parentEnv))
  const facts = await Promise.all(found.map(async ({ provider: { id, aliases, rank, can, executable } }) => ({
    id, aliases, can, ...(rank === undefined ? {} : { rank }), installed: can.ownCommand || await which(executable, env, host.cwd, host.platform) !== null,
  })))
  return { providers, facts, problems, env }
}

export interface PlanOptions {
  readonly policy?: string | undefined
  readonly strategy?: string | undefined
  readonly overPolicy?: boolean
}

/** Checks a plan and resolves it to what would be executed. Starts no worker. @throws Fail with every problem */
export async function preparePlan(host: Host, setup: Setup, planPath: string, options: PlanOptions): Promise<Resolved> {
  const [{ loadPlan }, { resolvePlan }, { refuseIsolation }] = await Promise.all([import('./load-plan.ts'), import('./resolve.ts'), import('../git/isolation.ts')])
  const plan = await loadPlan({
    planPath: resolve(host.cwd, planPath), policyPath: policyPath(host, options.policy),
    providers: setup.facts, host, overPolicy: options.overPolicy ?? false, ...(options.strategy ? { strategy: options.strategy } : {}),
  })
  const isolated = [...new Set(plan.workers.filter(worker => worker.isolate).map(worker => worker.cwd))]
  const [first, ...rest] = (await Promise.all(isolated.map(cwd => refuseIsolation(cwd)))).filter(problem => problem !== null)
  if (first) throw new Fail(first, ...rest)
  const resolved = await resolvePlan(host, setup.env, plan, setup.providers)
  refuseSessions(resolved)
  return { ...resolved, warnings: [...setup.problems.map(problem => problem.message), ...resolved.warnings] }
}

/** A session goes on only in the folder that it belongs to, and with the provider that it began with. */
function refuseSessions(resolved: Resolved): void {
  for (const { id, session, provider, cwd } of resolved.workers) {
    if (!session) continue
    if (session.provider !== provider) {
      throw fail('provider.cannot', `Worker "${id}" cannot resume "${session.session}" with ${provider}: the session is one of ${session.provider}`, { hint: `"provider": "${session.provider}"` })
    }
    if (session.cwd !== cwd) {
      throw fail('provider.cannot', `Worker "${id}" cannot resume "${session.session}" in "${cwd}": the session belongs to "${session.cwd}"`, { hint: `"cwd": "${session.cwd}"` })
    }
  }
}

/** Workers and forks start no work of their own. @throws `Fail('run.inside-worker')` */
export function refuseInsideWorker(host: Host): void {
  if (insideWorker(host.env)) throw fail('run.inside-worker', 'Cannot start work here: this process is a worker, and workers start no orchestration', { hint: 'do the task yourself and report' })
}
