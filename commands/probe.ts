#!/usr/bin/env -S node --import tsx
/** Asks each installed CLI for its version and whether it is logged in. Spends nothing; what a CLI prints is never stored. */
import { defineCommand } from '../lib/cli/command.ts'
import { pluginOption } from '../lib/cli/shared-options.ts'
import { probeText } from '../lib/report/probe-text.ts'
import { probeProviders } from '../lib/run/probe.ts'

export default defineCommand(import.meta, {
  name: 'probe',
  summary: 'Show which CLIs are installed, their versions, and whether they are logged in',
  usage: 'probe [PROVIDER…]',
  words: [{ name: 'provider', help: 'Only these providers (default: all)', optional: true, rest: true }],
  options: pluginOption,
  examples: ['probe', 'probe --json'],
  run: ({ words, options, host, entry }) => probeProviders(host, entry, words, options.plugin),
  text: probeText,
})
