/** Names that people type and that become file names, options or keys: patterns and limits, each in one place. */
import * as v from 'valibot'

/** A worker id: also a folder name on every system, so no trailing dot, no Windows device name and no name from a prototype. */
export const workerIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Keys that validation libraries drop from records to keep prototypes safe. */
const prototypeName = /^(?:constructor|prototype)$/i

/** True for a worker id that is safe as a folder name. */
export const isWorkerId = (text: string): boolean =>
  workerIdPattern.test(text) && !text.endsWith('.') && !deviceName.test(text) && !prototypeName.test(text)

/** A model, effort, playbook or phase name, such as `claude-opus-5-5[1m]` or `openai/gpt-5.5`. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._:/@+[\]-]{0,127}$/

/** A provider id or alias. */
export const providerIdPattern = /^[a-z][a-z0-9-]{0,31}$/

export const Name = v.pipe(v.string(), v.regex(namePattern))

/** Longest texts, in characters; over it is an error, never a cut. */
export const noteLimits = { title: 120, why: 300, workerWhy: 200, note: 500 } as const
