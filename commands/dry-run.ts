#!/usr/bin/env -S node --import tsx
/**
 * Shows what `run` would execute: command lines, providers and why, limits, prompt sizes, warnings. Asks the CLIs what they can do;
 * starts no worker. With `--write` the preview is saved as JSON.
 */
import { resolve } from 'node:path'
import { maskFor } from '../lib/base/mask.ts'
import { defineCommand } from '../lib/cli/command.ts'
import { planOptions, planWord } from '../lib/cli/shared-options.ts'
import { writeJson } from '../lib/io/files.ts'
import { previewText } from '../lib/report/plan-text.ts'
import { planRecord } from '../lib/run/plan-record.ts'
import { preparePlan, setUp } from '../lib/run/setup.ts'

export default defineCommand(import.meta, {
  name: 'dry-run',
  summary: 'Show what a plan would run, under which limits, and what it warns of',
  usage: 'dry-run PLAN [--write FILE] [--strategy NAME] [--policy FILE]',
  words: [planWord],
  options: { ...planOptions, write: { type: 'string', hint: 'file', help: 'Save the preview as JSON too' } },
  examples: ['dry-run plan.json', 'dry-run plan.json --write preview.json'],
  run: async ({ words: [plan], options, host, entry }) => {
    const setup = await setUp(host, entry, options.plugin)
    const record = planRecord(await preparePlan(host, setup, plan, options), setup.providers, maskFor(host.env), true)
    if (options.write) await writeJson(resolve(host.cwd, options.write), record)
    return record
  },
  text: previewText,
})
