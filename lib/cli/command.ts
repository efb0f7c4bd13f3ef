/** Declares a command: one call in its own file, run when that file is the program that was started. */
import { entryOf } from '../io/entry.ts'
import { checkDeclaration, type NoOptions, type Options, type Words } from './options.ts'
import type { CommandSpec } from './spec.ts'
import { start } from './start.ts'

/**
 * Declares the command of a file and returns it as the file's default export. Importing the file runs nothing, so tests and the
 * documentation can use it.
 * @param meta `import.meta` of the command's own file
 */
export function defineCommand<
  const O extends Options = NoOptions, const W extends Words = readonly [], D extends object = object, E = never,
>(meta: { readonly url: string }, spec: CommandSpec<O, W, D, E>): CommandSpec<O, W, D, E> {
  checkDeclaration(spec.options ?? {}, spec.words ?? [])
  const entry = entryOf(meta.url, process.argv[1])
  if (entry !== undefined) start(spec, entry)
  return spec
}
