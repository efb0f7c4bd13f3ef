/** What a test run prints: failures in full, skipped tests with their reasons, the slowest files, the closing line. */
import type { Verdict } from './verdict.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** A failing file: what is wrong, then all it printed. */
export function failureText({ file, failed, faults, output }: Verdict): string {
  const what = faults.length > 0 ? faults.join('; ') : `${failed} failed`
  return `\n--- ${file}: ${what}\n${(output ?? '').trim()}\n`
}

export const skippedText = (verdicts: readonly Verdict[]): string =>
  verdicts.flatMap(({ file, skips }) => skips.map(({ title, reason }) => `skipped ${file}: ${title} (${reason})`)).join('\n')

export function slowestText(verdicts: readonly Verdict[]): string {
  const slowest = [...verdicts].sort((one, other) => other.ms - one.ms).slice(0, 3)
  return slowest.length > 0 ? `slowest: ${slowest.map(({ file, ms }) => `${file} ${(ms / 1000).toFixed(1)} s`).join(', ')}` : ''
}

export const closingLine = (verdicts: readonly Verdict[]): string => {
  const [passed, failed, skipped] = [verdicts.map(one => one.passed), verdicts.map(one => one.failed), verdicts.map(one => one.skips.length)].map(sum)
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
