/** The most memory that the runner holds while a worker prints a gibibyte: that of the runner's process alone. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { Ground } from './ground.ts'
import { mebibytes, ms, type Section } from './report.ts'
import { interleaved, over, type Place } from './timing.ts'

const gibibyte = 1024 ** 3
const repetitions = 3
const aimMiB = 150
const lookEveryMs = 20

/** What the worker runs, by what its output looks like. */
const scripts = {
  'nothing to speak of': 'cat >/dev/null; echo ok',
  '1 GiB in lines of 80 bytes': `cat >/dev/null; yes "$(printf %79s '' | tr ' ' x)" | head -c ${gibibyte}`,
  '1 GiB in one line': `cat >/dev/null; head -c ${gibibyte} /dev/zero | tr '\\0' x`,
}

interface Peak { readonly bytes: number; readonly ms: number }

/** Runs a program and looks at `VmHWM`, the most that its process ever held, until it is gone. */
function peakOf(words: readonly string[], { cwd, env }: Place): Promise<Peak> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const child = spawn(words[0]!, words.slice(1), { cwd, env, stdio: 'ignore' })
    let bytes = 0
    const look = (): void => {
      const file = `/proc/${child.pid}/status`
      const found = existsSync(file) ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8')) : null
      if (found) bytes = Number(found[1]) * 1024
    }
    const timer = setInterval(look, lookEveryMs)
    child.on('error', reject)
    child.on('exit', () => {
      clearInterval(timer)
      resolve({ bytes, ms: performance.now() - begun })
    })
  })
}

export async function measureMemory({ plain, env, run }: Ground, said: (word: string) => void): Promise<Section> {
  const runs = `${env['ALETHE_ORCHESTRATE_HOME']}`
  const cases = Object.fromEntries(Object.entries(scripts).map(([name, script]) => {
    const words = run(plain, { workers: 1, atOnce: 1, script })
    // Each leaves a log of a gibibyte.
    return [name, () => peakOf(words, { cwd: plain, env }).finally(() => { rmSync(runs, { recursive: true, force: true }) })]
  }))
  const isLinux = process.platform === 'linux'
  const rounds = isLinux ? await interleaved(repetitions, cases, said) : []
  return {
    title: 'Memory of the runner beside a loud worker',
    words: [isLinux
      ? `The highest resident size (\`VmHWM\`) of the runner's process alone, ${repetitions} repetitions. Aim: under ${aimMiB} MB. Node itself and the loader take most of the first line.`
      : 'Not measured: only Linux tells the most that a process held (`/proc/PID/status`).'],
    head: ['the worker prints', 'peak MiB', 'ms'],
    rows: isLinux ? Object.keys(scripts).map(name => [name, mebibytes(over(rounds, round => round[name]!.bytes)), ms(over(rounds, round => round[name]!.ms))]) : [],
  }
}
