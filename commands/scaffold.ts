#!/usr/bin/env -S node --import tsx
/** Prints a valid plan to fill in. With `--write` it is saved instead; an existing file is never replaced. */
import { resolve } from 'node:path'
import { fail } from '../lib/base/fail.ts'
import { defineCommand } from '../lib/cli/command.ts'
import { pluginOption } from '../lib/cli/shared-options.ts'
import { exists, writeJson } from '../lib/io/files.ts'
import { scaffold } from '../lib/model/scaffold.ts'
import { strategies } from '../lib/model/strategy.ts'
import { setUp } from '../lib/run/setup.ts'

export default defineCommand(import.meta, {
  name: 'scaffold',
  summary: 'Print a plan to start from',
  usage: 'scaffold STRATEGY [--workers N] [--provider ID] [--cwd FOLDER] [--write FILE]',
  words: [{ name: 'strategy', help: `One of ${Object.keys(strategies).join(', ')}, or an alias of one` }],
  options: {
    workers: { type: 'integer', min: 1, max: 1000, default: 1, help: 'How many workers' },
    provider: { type: 'string', hint: 'id', default: 'auto', help: 'Their provider' },
    cwd: { type: 'string', hint: 'folder', default: '.', help: 'Where they work' },
    write: { type: 'string', hint: 'file', help: 'Save the plan there instead of printing it' },
    ...pluginOption,
  },
  examples: ['scaffold research --workers 3', 'scaffold parallel --workers 2 --write plan.json'],
  run: async ({ words: [strategy], options, host, entry }) => {
    const { facts } = await setUp(host, entry, options.plugin)
    const plan = scaffold({ strategy, workers: options.workers, provider: options.provider, cwd: resolve(host.cwd, options.cwd) }, facts)
    const file = options.write === undefined ? undefined : resolve(host.cwd, options.write)
    if (file === undefined) return { plan }
    if (await exists(file)) throw fail('usage.bad-value', `Cannot write "${file}": it exists`, { hint: 'name another file' })
    await writeJson(file, plan)
    return { plan, file }
  },
  text: ({ plan, file }: { plan: object; file?: string }) => file ?? JSON.stringify(plan, null, 2),
})
