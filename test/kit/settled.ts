/** What a reader may give back: checked shape, figures that are possible, and text that is safe to show. */
import * as v from 'valibot'
import { isFailureKind } from '../../lib/model/failure.ts'
import { namePattern } from '../../lib/model/names.ts'
import { QuotaReading } from '../../lib/model/quota.ts'
import { Usage } from '../../lib/model/usage.ts'
import type { LiveSign, Settled } from '../../lib/plugin/provider.ts'
import { assert } from './check.ts'

const SettledShape = v.strictObject({
  verdict: v.variant('ok', [
    v.strictObject({ ok: v.literal(true) }),
    v.strictObject({
      ok: v.literal(false), kind: v.pipe(v.string(), v.check(isFailureKind)),
      error: v.pipe(v.string(), v.nonEmpty(), v.maxLength(2000)),
      resetsAt: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
      resetHint: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
    }),
  ]),
  text: v.string(),
  session: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/))),
  usage: v.exactOptional(Usage),
  sessionUsage: v.exactOptional(Usage),
  costUsd: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  costByModel: v.exactOptional(v.record(v.pipe(v.string(), v.regex(namePattern)), v.pipe(v.number(), v.finite(), v.minValue(0)))),
  billedModels: v.exactOptional(v.array(v.pipe(v.string(), v.regex(namePattern)))),
  turns: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  denials: v.exactOptional(v.array(v.string())),
  warnings: v.exactOptional(v.array(v.string())),
  quota: v.exactOptional(QuotaReading),
})

/** Controls, and marks that turn the reading direction. */
const unsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Fails when the value may not be shown or stored. */
export function checkSign(sign: LiveSign | null): void {
  if (!sign) return
  const shown = 'text' in sign ? sign.text : 'session' in sign ? sign.session ?? '' : ''
  assert.not(unsafe.test(shown), `A live sign holds control characters: ${JSON.stringify(shown)}`)
  assert.ok(shown.length <= 500, 'A live sign is longer than 500 characters')
}

/** Fails when the value may not be shown or stored. */
export function checkSettled(settled: Settled): void {
  const parsed = v.safeParse(SettledShape, settled)
  assert.ok(
    parsed.success, parsed.success ? '' : parsed.issues.map(issue => `${v.getDotPath(issue)}: ${issue.message}`).join('; '),
  )
  const shown = [
    ...(settled.denials ?? []), ...(settled.warnings ?? []),
    ...(settled.verdict.ok ? [] : [settled.verdict.error, settled.verdict.resetHint ?? '']),
  ]
  for (const each of shown) assert.not(unsafe.test(each), `A message holds control characters: ${JSON.stringify(each)}`)
  assert.not(/\[object Object\]|^(?:undefined|null)$/.test(settled.text), `The answer is ${settled.text}`)
}
