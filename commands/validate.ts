#!/usr/bin/env -S node --import tsx
/** Checks a plan against its schema, the rules, the policy and the machine. Reads files and asks git; starts nothing, writes nothing. */
import { defineCommand } from '../lib/cli/command.ts'
import { planOptions, planWord } from '../lib/cli/shared-options.ts'
import { checkedText } from '../lib/report/plan-text.ts'
import { preparePlan, setUp } from '../lib/run/setup.ts'

export default defineCommand(import.meta, {
  name: 'validate',
  summary: 'Check a plan and name every problem with its place',
  usage: 'validate PLAN [--strategy NAME] [--policy FILE]',
  words: [planWord],
  options: planOptions,
  examples: ['validate plan.json', 'validate plan.json --strategy parallel --json'],
  run: async ({ words: [plan], options, host, entry }) => {
    const resolved = await preparePlan(host, await setUp(host, entry, options.plugin), plan, options)
    const { strategy, strategyReason, workers, warnings } = resolved
    return { ok: true, strategy, strategyReason, workers: workers.length, warnings }
  },
  text: checkedText,
})
