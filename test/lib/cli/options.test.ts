import { defineCommand } from '../../../lib/cli/command.ts'
import { checkDeclaration, flagOf } from '../../../lib/cli/options.ts'
import { assert, suite, thrown } from '../../kit/check.ts'

/** Compiles only when both types are the same. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what it takes to compare exactly
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const same = <A, B>(_: Same<A, B>): void => undefined

/** A module that was not started. */
const elsewhere = { url: 'file:///elsewhere.ts' }

suite('options', test => {
  test('flagOf() turns a key into its flag', () => {
    for (const [key, flag] of [
      ['dryRun', '--dry-run'], ['json', '--json'], ['maxReportedCostUsd', '--max-reported-cost-usd'], ['inA2b', '--in-a2b'],
    ] as const) assert.is(flagOf(key), flag)
  })

  test('checkDeclaration() refuses keys that cannot be flags and words behind the rest', async () => {
    const flag = { type: 'boolean', help: '' } as const
    for (const key of ['dry-run', 'Json', 'json', 'help', '__proto', '1x', '']) {
      assert.instance(await thrown(() => { checkDeclaration({ [key]: flag }, []) }), Error, key)
    }
    const rest = { name: 'all', help: '', rest: true }
    assert.instance(await thrown(() => { checkDeclaration({}, [rest, { name: 'more', help: '' }]) }), Error)
    checkDeclaration({ dryRun: flag }, [{ name: 'one', help: '' }, rest])
  })

  test('defineCommand() gives run the types that its options and words declare', () => {
    const command = defineCommand(elsewhere, {
      name: 'typed', summary: '', usage: '', examples: ['', ''],
      words: [
        { name: 'folder', help: '', optional: true }, { name: 'mode', help: '', choices: ['on', 'off'] },
        { name: 'more', help: '', rest: true, optional: true },
      ],
      options: {
        grace: { type: 'string', default: '10s', help: '' }, note: { type: 'string', help: '' },
        needed: { type: 'string', required: true, help: '' }, goal: { type: 'choice', choices: ['cheap', 'good'], help: '' },
        loud: { type: 'boolean', help: '' }, most: { type: 'integer', help: '' }, order: { type: 'list', help: '' },
        kinds: { type: 'list', choices: ['read', 'write'], default: ['read'], help: '' },
      },
      run: async ({ options, words, emit }) => {
        same<typeof options.grace, string>(true)
        same<typeof options.note, string | undefined>(true)
        same<typeof options.needed, string>(true)
        same<typeof options.goal, 'cheap' | 'good' | undefined>(true)
        same<typeof options.loud, boolean>(true)
        same<typeof options.most, number | undefined>(true)
        same<typeof options.order, readonly string[] | undefined>(true)
        same<typeof options.kinds, readonly ('read' | 'write')[]>(true)
        const [folder, mode, ...more] = words
        same<typeof folder, string | undefined>(true)
        same<typeof mode, 'on' | 'off'>(true)
        same<typeof more, string[]>(true)
        same<Parameters<typeof emit>[0], { readonly step: number }>(true)
        return Promise.resolve({ answer: 42 })
      },
      text: data => {
        same<typeof data, { answer: number }>(true)
        return String(data.answer)
      },
      exit: data => data.answer,
      live: (event: { readonly step: number }) => `step ${event.step}`,
    })
    assert.is(command.name, 'typed')
  })

  test('defineCommand() needs neither options nor words', () => {
    defineCommand(elsewhere, {
      name: 'bare', summary: '', usage: '', examples: ['', ''],
      run: ({ options, words }) => {
        same<keyof typeof options, never>(true)
        same<typeof words, readonly []>(true)
        return { words }
      },
      text: () => '',
    })
  })
})
