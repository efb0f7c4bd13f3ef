import { modelFor, type ModelTiers, type TierWorker } from '../../../lib/model/tiers.ts'
import { assert, suite } from '../../kit/check.ts'

const tiers: ModelTiers = { cheap: { full: { model: 'small', effort: 'low' }, bare: { effort: 'min' } } }
const all = { model: true, effort: true }

suite('model/tiers', test => {
  const cases: [string, TierWorker, typeof all, object][] = [
    ['takes model and effort of the tier', { provider: 'full', tier: 'cheap' }, all,
      { model: 'small', effort: 'low', note: 'tier cheap on full: model small, effort low' }],
    ['takes what a tier has', { provider: 'bare', tier: 'cheap' }, all,
      { effort: 'min', note: 'tier cheap on bare: effort min' }],
    ['says when a tier has nothing', { provider: 'full', tier: 'strong' }, all,
      { note: 'tier strong: no model is set for full' }],
    ['knows no provider of a prototype', { provider: 'constructor', tier: 'cheap' }, all,
      { note: 'tier cheap: no model is set for constructor' }],
    ['lets the plan win', { provider: 'full', tier: 'standard', model: 'm' }, all,
      { model: 'm', note: 'model m: named in the plan' }],
    ['fills what the plan leaves open', { provider: 'full', tier: 'cheap', model: 'm' }, all,
      { model: 'm', effort: 'low', note: 'tier cheap on full: model m, effort low' }],
    ['leaves out a model that the CLI cannot be told', { provider: 'full', tier: 'cheap' }, { model: false, effort: true },
      { effort: 'low', note: 'tier cheap on full: effort low' }],
    ['leaves out an effort that the CLI cannot be told', { provider: 'full', tier: 'cheap' }, { model: true, effort: false },
      { model: 'small', note: 'tier cheap on full: model small' }],
  ]
  for (const [title, worker, can, expected] of cases) test(`modelFor() ${title}`,
    () => { assert.equal(modelFor(worker, tiers, can), expected) })
})
