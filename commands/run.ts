#!/usr/bin/env -S node --import tsx
/**
 * Runs the wave of a plan and says how it ended. Everything that can refuse does so before anything is started. With `--detach` a
 * runner of its own goes on and this returns at once. Writes the run's folder, see README.
 */
import { defineCommand } from '../lib/cli/command.ts'
import { planOptions, planWord } from '../lib/cli/shared-options.ts'
import { liveLine } from '../lib/report/live-text.ts'
import { ranText } from '../lib/report/run-text.ts'
import { launchWave } from '../lib/run/launch.ts'

export default defineCommand(import.meta, {
  name: 'run',
  summary: 'Run a plan\'s workers and say what really happened',
  usage: 'run PLAN [--detach] [--run-dir FOLDER] [--strategy NAME] [--policy FILE]',
  words: [planWord],
  options: {
    detach: { type: 'boolean', help: 'Return at once; `wait` and `stop` find the run' },
    runDir: { type: 'string', hint: 'folder', help: 'Keep the run in this folder, which must be empty' },
    ...planOptions,
  },
  examples: ['run plan.json', 'run plan.json --detach --json'],
  run: ({ words: [plan], options, host, entry, signal, emit }) => launchWave({ host, entry, signal, emit }, plan, options),
  text: ranText,
  exit: result => result.status === 'done' || result.status === 'started' ? 0 : 1,
  live: liveLine,
})
