import { helpText } from '../../../lib/cli/help.ts'
import { forScreen } from '../../../lib/base/style.ts'
import { width } from '../../../lib/base/text.ts'
import { assert, suite } from '../../kit/check.ts'

const command = {
  name: 'stop',
  summary: 'Stop a running wave and every process it owns',
  usage: 'stop [folder] [--grace 10s] [--provider-order <name...>] [--max-calls <number>] [--a-very-long-option <value>]',
  words: [{ name: 'folder', help: 'A run folder; the newest of this project without it', optional: true }],
  options: {
    grace: {
      type: 'string', hint: 'duration', default: '10s',
      help: 'Wait this long before a forced stop, which comes to every process that is still there then',
    },
    strategy: { type: 'choice', choices: ['economy', 'balanced', 'quality'], help: 'How much to spend' },
    providerOrder: { type: 'list', hint: 'name', help: 'Whom to ask first' },
    rule: { type: 'list', whole: true, help: 'A sentence' },
    maxCalls: { type: 'integer', min: 1, max: 10_000, required: true, help: 'Most calls' },
    aVeryLongOptionIndeed: { type: 'number', min: 0, help: 'Stands alone' },
  },
  examples: ['stop', 'stop run-1 --grace 30s'],
  exits: { 3: 'A process survived' },
} as const

const plain = (columns: number): string => forScreen(helpText(command, { columns }), { color: false })

suite('help', test => {
  test('helpText() reads well at 80 columns', () => {
    assert.is(plain(80), `Stop a running wave and every process it owns

Usage: stop [folder] [--grace 10s] [--provider-order <name...>]
         [--max-calls <number>] [--a-very-long-option <value>]

Arguments:
  [folder]  A run folder; the newest of this project without it

Options:
  --grace <duration>          Wait this long before a forced stop, which comes
                              to every process that is still there then
                              (default: 10s)
  --strategy <value>          How much to spend (one of economy, balanced,
                              quality)
  --provider-order <name...>  Whom to ask first
  --rule <value>              A sentence (can be repeated)
  --max-calls <number>        Most calls (1 to 10000; required)
  --a-very-long-option-indeed <number>
                              Stands alone (at least 0)
  --json                      Print one JSON object on stdout and nothing on
                              stderr
  -h, --help                  Show this help
  -v, --version               Show the version

Examples:
  stop
  stop run-1 --grace 30s

Exit codes:
  0     Done
  1     The work failed
  2     Refused before anything was done: usage, configuration, budget, quota;
        the error code tells which
  3     A process survived
  70    A bug in this program
  130   Interrupted by Ctrl-C or a signal`)
  })

  test('helpText() fits any width from 50 up and is no wider than 100', () => {
    for (const columns of [50, 60, 80, 100, 300]) {
      for (const line of plain(columns).split('\n')) assert.ok(width(line) <= Math.min(columns, 100), `${columns}: ${line}`)
    }
  })
})
