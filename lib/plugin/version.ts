/** Versions as CLIs print them, with other words around them. Pure. */

/** The first version number in a text such as `codex-cli 0.171.0` or `0.0.17-g1a2b (released …)`, or null. */
export const versionIn = (printed: string): string | null => /\d+\.\d+\.\d+[\w.-]*/.exec(printed)?.[0].replace(/\.+$/, '') ?? null

/** True when the three numbers of `version` stand below those of `floor`; suffixes do not count. */
export function isOlder(version: string, floor: string): boolean {
  const numbers = (text: string): number[] => text.split(/[.+-]/, 3).map(part => Number.parseInt(part, 10) || 0)
  const [have, need] = [numbers(version), numbers(floor)]
  for (const place of [0, 1, 2]) {
    const difference = (have[place] ?? 0) - (need[place] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
