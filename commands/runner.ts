#!/usr/bin/env -S node --import tsx
/**
 * The runner behind `run --detach`: waits on stdin for the resolved plan, which is the go, and runs its wave. An end of input
 * without a plan means that whoever started it died: nothing is run.
 */
import { defineCommand } from '../lib/cli/command.ts'
import { ranText } from '../lib/report/run-text.ts'
import { runHandedOver } from '../lib/run/launch.ts'

export default defineCommand(import.meta, {
  name: 'runner',
  summary: 'Run a wave that `run --detach` hands over on stdin',
  usage: 'runner < HANDOVER',
  hidden: true,
  examples: ['run plan.json --detach', 'wait'],
  run: ({ host, entry, signal }) => runHandedOver({ host, entry, signal, emit: () => undefined }),
  text: ranText,
  exit: result => result.status === 'done' ? 0 : 1,
})
