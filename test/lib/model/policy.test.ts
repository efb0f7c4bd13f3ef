import { Fail } from '../../../lib/base/fail.ts'
import { readDocument } from '../../../lib/model/document.ts'
import { defaultPolicy, type Policy, policyOf, readPolicyFile } from '../../../lib/model/policy.ts'
import { assert, suite } from '../../kit/check.ts'
import { providers } from '../../kit/plans.ts'

const read = (text: string): Policy => policyOf(readPolicyFile(readDocument(text, 'policy.json'), providers), providers)
const refused = (text: string): string[] => {
  try {
    read(text)
  } catch (error) {
    if (error instanceof Fail) return error.problems.map(({ place, message, hint }) =>
      `${place?.file}:${place?.line}:${place?.column} ${message}${hint ? ` (${hint})` : ''}`)
    throw error
  }
  return []
}

suite('model/policy', test => {
  test('defaultPolicy() has the documented defaults and orders providers by rank', () => {
    assert.equal(defaultPolicy(providers), {
      version: 1, onboarded: false, backend: 'auto', defaultStrategy: 'auto', providerSwitch: 'ask',
        providerOrder: ['metered', 'full', 'bare', 'eager'],
      conserveProviders: [], maxWorkers: 16, maxConcurrent: 4, budget: {}, modelTiers: {},
    })
  })

  test('readPolicyFile() fills in defaults', () => { assert.equal(read('{"budget": null}'), defaultPolicy(providers)) })

  test('readPolicyFile() takes aliases of providers and strategies, each once', () => {
    const { providerOrder, conserveProviders, defaultStrategy, modelTiers } =
      read('{"providerOrder": ["Full-CLI", "full", "bare"], "conserveProviders": ["bare-cli"], "defaultStrategy": "Save", '
        + '"modelTiers": {"cheap": {"full-cli": {"model": "m"}}}}')
    assert.equal([providerOrder, conserveProviders, defaultStrategy, modelTiers],
      [['full', 'bare'], ['bare'], 'economy', { cheap: { full: { model: 'm' } } }])
  })

  test('readPolicyFile() takes every field of the format', () => {
    const text = '{"version": 1, "onboarded": true, "backend": "skill", "defaultStrategy": "quality", "providerSwitch": "never", '
      + '"providerOrder": ["bare"], "conserveProviders": [], "maxWorkers": 1000, "maxConcurrent": 1, "budget": {"maxCalls": 3}, '
      + '"modelTiers": {"strong": {"full": {"effort": "high"}}}}'
    assert.equal(read(text), JSON.parse(text))
  })

  const cases: [string, string, string[]][] = [
    ['another version', '{"version": 2}', ['policy.json:1:13 version must be 1, not 2']],
    ['an unknown field', '{"maxWorker": 2}',
      ['policy.json:1:2 The document has an unknown field "maxWorker" (did you mean "maxWorkers"?)']],
    ['limits out of range', '{"maxWorkers": 0,\n"maxConcurrent": 1001}',
      ['policy.json:1:16 maxWorkers must be a whole number from 1 to 1000, not 0',
      'policy.json:2:18 maxConcurrent must be a whole number from 1 to 1000, not 1001']],
    ['an unknown strategy', '{"defaultStrategy": "economic"}',
      ['policy.json:1:21 There is no strategy "economic" (did you mean "economy"?)']],
    ['an unknown switch', '{"providerSwitch": "auto"}',
      ['policy.json:1:20 providerSwitch must be "ask", "automatic" or "never", not "auto"']],
    ['an empty provider order', '{"providerOrder": []}',
      ['policy.json:1:19 providerOrder must be a list of at least 1 entry, not a list of 0 entries']],
    ['unknown providers', '{"providerOrder": ["full", "ful"], "conserveProviders": ["zzz"]}', [
      'policy.json:1:28 A policy cannot name the provider "ful" (did you mean "full"?)',
      'policy.json:1:58 A policy cannot name the provider "zzz" (providers: full, metered, bare or eager)']],
    ['a provider whose command line is in the plan', '{"providerOrder": ["own"]}',
      ['policy.json:1:20 A policy cannot name the provider "own" (providers: full, metered, bare or eager)']],
    ['unknown tiers', '{"modelTiers": {"best": {}}}',
      ['policy.json:1:17 modelTiers has an unknown field "best" (known fields: cheap, standard, strong)']],
    ['an unknown provider of a tier, at its key', '{"modelTiers": {"cheap": {"zzz": {"model": "m"}}}}',
      ['policy.json:1:27 A policy cannot name the provider "zzz" (providers: full, metered, bare or eager)']],
    ['a tier that says nothing', '{"modelTiers": {"cheap": {"full": {}}}}',
      ['policy.json:1:35 cheap on "full" needs a model or an effort']],
    ['a hostile tier', '{"modelTiers": {"cheap": {"__proto__": {"model": "m"}, "constructor": {"model": "m"}}}}', [
      'policy.json:1:27 modelTiers.cheap has an unknown field "__proto__"',
        'policy.json:1:56 modelTiers.cheap has an unknown field "constructor"']],
    ['rules and shape at once', '{"defaultStrategy": "x", "maxWorkers": 0}', [
      'policy.json:1:21 There is no strategy "x" (strategies: auto, economy, balanced, quality, research, parallel or rescue)',
      'policy.json:1:40 maxWorkers must be a whole number from 1 to 1000, not 0']],
    ['a list', '[]', ['policy.json:1:1 The document must be an object, not a list of 0 entries']],
  ]
  for (const [title, text, expected] of cases) test(`readPolicyFile() refuses ${title}`,
    () => { assert.equal(refused(text), expected) })
})
