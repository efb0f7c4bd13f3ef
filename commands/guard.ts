#!/usr/bin/env -S node --import tsx
/** Ends what a killed runner left running. Started by the guard of a wave, see lib/run/guard.ts. */
import { defineCommand } from '../lib/cli/command.ts'
import { guardRun } from '../lib/run/guard.ts'

export default defineCommand(import.meta, {
  name: 'guard',
  summary: 'End what a killed runner left running',
  usage: 'guard FOLDER RUN [--wait]',
  words: [{ name: 'folder', help: 'The run\'s folder' }, { name: 'run', help: 'The run\'s id' }],
  options: { wait: { type: 'boolean', help: 'First wait on stdin for a goodbye' } },
  hidden: true,
  examples: ['stop', 'status'],
  run: ({ words: [folder, run], options }) => guardRun(folder, run, options.wait),
  text: ({ ended }) => `ended ${ended}`,
})
