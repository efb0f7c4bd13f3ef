#!/usr/bin/env -S node --import tsx
/**
 * Ends a run: asks its runner, then ends what is left by identity. Writes `STOP` into the run's folder. Exit 1 when a process
 * survives.
 */
import { defineCommand } from '../lib/cli/command.ts'
import { runWord } from '../lib/cli/shared-options.ts'
import { stoppedText } from '../lib/report/run-text.ts'
import { stopAndSettle } from '../lib/run/wait.ts'

export default defineCommand(import.meta, {
  name: 'stop',
  summary: 'End a run and every process it started',
  usage: 'stop [FOLDER]',
  words: [runWord],
  examples: ['stop', 'stop ~/.config/alethe/orchestrations/run-20261201-020304-0a1b2c3d'],
  run: ({ words: [folder], host, entry }) => stopAndSettle(host, entry, folder),
  text: stoppedText,
})
