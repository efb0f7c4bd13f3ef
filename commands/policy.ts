#!/usr/bin/env -S node --import tsx
/** Shows, changes or resets the user's policy: what plans get when they do not say, and what they may not exceed. */
import { fail } from '../lib/base/fail.ts'
import { defineCommand } from '../lib/cli/command.ts'
import { flagOf } from '../lib/cli/options.ts'
import { limitNames } from '../lib/model/policy-change.ts'
import { policyPath } from '../lib/model/policy-place.ts'
import { policyText } from '../lib/report/policy-text.ts'
import { changePolicy, loadPolicy, resetPolicy } from '../lib/run/policy.ts'
import { setUp } from '../lib/run/setup.ts'

const limit = (help: string) => ({ type: 'integer', min: 1, help }) as const
const pairs = (what: string) => ({ type: 'list', hint: `provider=${what}`, help: `Deprecated: tiers belong into the playbooks` }) as const

const changes = {
  backend: { type: 'choice', choices: ['auto', 'skill', 'mcp'], help: 'Who runs workers' },
  providerSwitch: { type: 'choice', choices: ['ask', 'automatic', 'never'], help: 'What a conserved provider leads to' },
  providerOrder: { type: 'list', hint: 'ids', help: 'Which providers `auto` tries, in this order' },
  conserveProviders: { type: 'list', hint: 'ids', help: 'Providers to spare; none clears the list' },
  maxWorkers: { type: 'integer', min: 1, max: 1000, help: 'Most workers of a plan' },
  maxConcurrent: { type: 'integer', min: 1, max: 1000, help: 'Most workers at once' },
  maxCalls: { type: 'integer', min: 1, max: 10_000, help: 'Most workers that a wave may start' },
  maxWallSeconds: { type: 'integer', min: 1, max: 86_400, help: 'Longest wave' },
  maxEstimatedPromptTokens: limit('Most tokens of all tasks of a wave, estimated'),
  maxReportedTokens: limit('Most tokens reported, without cache reads'),
  maxTotalTokens: limit('Most tokens reported, with cache reads'),
  maxReportedCostUsd: { type: 'number', min: 0, max: 1_000_000, help: 'Most US dollars of a wave' },
  unknownCost: { type: 'choice', choices: ['refuse', 'allow'], help: 'Workers whose cost is unknown under a cost limit' },
  clear: { type: 'list', choices: limitNames, hint: 'limits', help: 'Remove these limits, such as max-calls; without a name all' },
  cheapModel: pairs('model'), cheapEffort: pairs('effort'), strongModel: pairs('model'),
} as const

export default defineCommand(import.meta, {
  name: 'policy',
  summary: 'Show or change the standing preferences and limits of this user',
  usage: 'policy show|set|reset [STRATEGY] [OPTIONS]',
  words: [
    { name: 'action', help: 'show, set or reset', choices: ['show', 'set', 'reset'] },
    { name: 'strategy', help: 'With set: how waves run when plans do not say', optional: true },
  ],
  options: { ...changes, file: { type: 'string', hint: 'file', help: 'Use this policy file instead of the user\'s' } },
  examples: ['policy set economy --max-calls 20', 'policy set --conserve-providers claude --provider-switch automatic'],
  run: async ({ words: [action, strategy], options: { file, ...change }, host, entry }) => {
    const [given] = [...strategy === undefined ? [] : [strategy], ...Object.keys(change).map(flagOf)]
    if (action !== 'set' && given !== undefined) throw fail('usage.unexpected-argument', `"policy ${action}" takes no ${given}`, { hint: `policy set ${given}` })
    const [{ facts }, path] = [await setUp(host, entry), policyPath(host, file)]
    if (action === 'show') return loadPolicy(path, facts)
    if (action === 'reset') return resetPolicy(path, facts)
    return changePolicy(path, { ...change, ...(strategy === undefined ? {} : { defaultStrategy: strategy }) }, facts)
  },
  text: policyText,
})
