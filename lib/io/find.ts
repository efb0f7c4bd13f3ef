/** Finding files by pattern; the library loads only when something is looked for. */

/** Absolute paths of the files in `folder` that match, sorted; links are not followed. */
export async function findFiles(pattern: string, folder: string): Promise<string[]> {
  const { default: glob } = await import('fast-glob')
  return (await glob(pattern, { cwd: folder, absolute: true, followSymbolicLinks: false, onlyFiles: true, suppressErrors: true })).sort()
}
