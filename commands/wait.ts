#!/usr/bin/env -S node --import tsx
/** Waits until a run has ended or the time is over, and says how it stands. Reads the run's state; settles it when its runner died. */
import { defineCommand } from '../lib/cli/command.ts'
import { runWord } from '../lib/cli/shared-options.ts'
import { viewText } from '../lib/report/run-text.ts'
import { waitForRun } from '../lib/run/wait.ts'

export default defineCommand(import.meta, {
  name: 'wait',
  summary: 'Wait for a run to end and say how it ended',
  usage: 'wait [FOLDER] [--timeout SECONDS]',
  words: [runWord],
  options: { timeout: { type: 'integer', min: 0, max: 540, default: 300, hint: 'seconds', help: 'Wait no longer than this' } },
  examples: ['wait', 'wait --timeout 540 --json'],
  exits: { 0: 'All workers succeeded, or the time is over and the run goes on (done: false)', 1: 'The run has ended and not all workers succeeded' },
  run: ({ words: [folder], options, host, entry, signal }) => waitForRun({ host, entry, signal }, folder, options.timeout * 1000),
  text: viewText,
  exit: view => !view.done || view.status === 'done' ? 0 : 1,
})
