/** What the core knows of a provider when it checks plans and policies: plain values taken from the plugins. */

/** What a CLI can do. Checked when a plan is validated, so that nothing is spent on what cannot work. */
export interface Capabilities {
  /** Continues an earlier session. */
  readonly resume: boolean
  /** `enforced`: the CLI refuses writes; `advisory`: only the worker contract asks; `none`: refused at validation. */
  readonly readOnly: 'enforced' | 'advisory' | 'none'
  /** The same for a resumed session, where it differs. */
  readonly readOnlyOnResume?: 'enforced' | 'advisory' | 'none'
  /** Takes a model and an effort. */
  readonly model: boolean
  readonly effort: boolean
  /** Ends by itself when a cost in USD is reached. */
  readonly costCap: boolean
  /** Reports tokens, and a cost in USD. */
  readonly tokens: boolean
  readonly cost: boolean
  /** Can be kept from starting subagents. */
  readonly blocksSubagents: boolean
  /** Can be kept from its configured MCP servers. */
  readonly blocksMcp: boolean
  /** Can be allowed single commands (`allowCommands`). */
  readonly allowCommands: boolean
  /** Takes its command line from the plan (`command`, `args`, ...). */
  readonly ownCommand: boolean
  /** Prints nothing until its end, so an idle time-out has no meaning. */
  readonly silent: boolean
  /** How the task reaches it, and the most it takes. For `plan` the size holds where the plan passes the task as an argument. */
  readonly promptVia: 'stdin' | 'argument' | 'plan'
  readonly maxPrompt: { readonly size: number; readonly unit: 'bytes' | 'characters' }
}

/** One provider as plans see it. */
export interface ProviderFacts {
  readonly id: string
  readonly aliases: readonly string[]
  /** Place in the default provider order; absent: never chosen by `auto` unless the policy's order names it. */
  readonly rank?: number
  readonly can: Capabilities
  /** Its program was found. */
  readonly installed: boolean
}

/** The provider that a name or alias means, whatever its case. */
export function providerNamed(name: string, providers: readonly ProviderFacts[]): ProviderFacts | undefined {
  const wanted = name.trim().toLowerCase()
  return providers.find(({ id }) => id === wanted) ?? providers.find(({ aliases }) => aliases.includes(wanted))
}

/** Every name that people may write for a provider. */
export const providerNames = (providers: readonly ProviderFacts[]): string[] =>
  providers.flatMap(({ id, aliases }) => [id, ...aliases])
