#!/usr/bin/env -S node --import tsx
/** Says how a run stands. Reads the run's state; settles it when its runner died. */
import { defineCommand } from '../lib/cli/command.ts'
import { runWord } from '../lib/cli/shared-options.ts'
import { viewText } from '../lib/report/run-text.ts'
import { waitForRun } from '../lib/run/wait.ts'

export default defineCommand(import.meta, {
  name: 'status',
  summary: 'Show how a run stands, in a few lines',
  usage: 'status [FOLDER]',
  words: [runWord],
  examples: ['status', 'status --json'],
  run: ({ words: [folder], host, entry, signal }) => waitForRun({ host, entry, signal }, folder, 0),
  text: viewText,
})
