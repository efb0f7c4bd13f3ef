/** Which paths a plan may name as seeds: plain ones inside the repository. Pure. */

/** Patterns, and characters that no system wants in a name. Brackets stay: `app/[id]/page.tsx` is a file name. */
// eslint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f*?"<>|]/

/**
 * The path in its plain form (`/` between names, no `.` in it, no slash at the end; `.` for the whole repository), or null when
 * it is empty, absolute, leads out of the repository or into `.git`, or is a pattern.
 */
export function safeSeedPath(text: string): string | null {
  const path = text.replaceAll('\\', '/')
  if (path.trim() === '' || unsafe.test(path) || /^(?:[/:]|[A-Za-z]:)/.test(path)) return null
  const names = path.split('/').filter(name => name !== '' && name !== '.')
  if (names.some(name => name === '..' || name.toLowerCase() === '.git')) return null
  return names.join('/') || '.'
}
