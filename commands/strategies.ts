#!/usr/bin/env -S node --import tsx
/** Lists the strategies that a wave can run under. Reads nothing. */
import { defineCommand } from '../lib/cli/command.ts'
import { plural } from '../lib/base/text.ts'
import { strategiesTable } from '../lib/model/strategy.ts'

export default defineCommand(import.meta, {
  name: 'strategies',
  summary: 'List how a wave may run: workers, how many at once, what for',
  usage: 'strategies',
  examples: ['strategies', 'strategies --json'],
  run: () => ({ strategies: strategiesTable() }),
  text: ({ strategies }) => strategies.map(row =>
    `${row.strategy.padEnd(9)} ${`${plural(row.maxWorkers, 'worker')}, ${row.maxConcurrent} at once`.padEnd(26)} ${row.description}`).join('\n'),
})
