/** Looking into JSON of unknown shape. */

export const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined, value)

export const array = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : []

export const string = (value: unknown): string => typeof value === 'string' ? value : ''
