/** Flags and values that turn a program's own safety off. Pure. */

const flags = new Set(['--yolo', '--full-auto', '--force', '--allow-all-tools', '--always-approve', '--skip-permissions-unsafe'])
const values = new Set(['bypasspermissions', 'danger-full-access'])

/** The words of an argument: it may be a command line of its own (`sh -c "…"`), a setting (`--f=v`, `key="v"`) or JSON. */
const wordsOf = (arg: string): string[] => arg.toLowerCase().split(/[\s"'`;|&(){}[\],:]+/)

/** The unsafe word in an argument, or undefined. Any case; `--flag value`, `--flag=value` and `_` for `-` are the same. */
export function unsafeWord(arg: string): string | undefined {
  return wordsOf(arg).find(word => word.split('=').some(part => values.has(part) || isUnsafeFlag(part.replaceAll('_', '-'))))
}

const isUnsafeFlag = (flag: string): boolean => flags.has(flag) || flag.startsWith('--dangerously')
