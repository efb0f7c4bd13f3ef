/** Options that several commands have, each described once. */
import type { Options } from './options.ts'

export const pluginOption = {
  plugin: { type: 'list', whole: true, hint: 'file', help: 'Load this provider plugin too; it may replace one of the same id' },
} as const satisfies Options

export const planOptions = {
  policy: { type: 'string', hint: 'file', help: 'Use this policy file instead of the user\'s' },
  strategy: { type: 'string', hint: 'name', help: 'Run under this strategy instead of the plan\'s' },
  overPolicy: { type: 'boolean', help: 'Let the plan\'s budget exceed the policy\'s; only when the user agreed' },
  ...pluginOption,
} as const satisfies Options

export const planWord = { name: 'plan', help: 'The plan, a JSON file' } as const
export const runWord = { name: 'folder', help: 'A run\'s folder (default: the newest run of this project)', optional: true } as const
