/**
 * The user's policy file: read, shown and changed. A damaged file is named and stays as it is until `reset`, which moves it aside.
 * Changes go through a lock, and a file that is a link (as dotfiles often are) is changed where it points.
 */
import { dirname } from 'node:path'
import { Fail, fail, systemCode } from '../base/fail.ts'
import { exists, moveFile, readTextIfThere, realPathOf, writeJson } from '../io/files.ts'
import { withLock } from '../io/lock.ts'
import type { ProviderFacts } from '../model/capabilities.ts'
import { documentLimit, readDocument } from '../model/document.ts'
import { type Policy, type PolicyFile, policyOf, readPolicyFile } from '../model/policy.ts'
import { changedPolicy, type PolicyChange } from '../model/policy-change.ts'

/** A policy as it holds, and where it comes from. */
export interface UserPolicy extends Policy {
  readonly path: string
  /** There is a file; without one these are the defaults. */
  readonly exists: boolean
}

/** The policy, or the defaults where there is no file. @throws Fail naming what is wrong in a damaged one */
export async function loadPolicy(path: string, providers: readonly ProviderFacts[]): Promise<UserPolicy> {
  const file = await stated(path, providers)
  return { ...policyOf(file ?? {}, providers), path, exists: file !== null }
}

async function stated(path: string, providers: readonly ProviderFacts[]): Promise<PolicyFile | null> {
  const text = await readTextIfThere(path, { maxBytes: documentLimit })
  if (text === null) return null
  try {
    return readPolicyFile(readDocument(text, path), providers)
  } catch (error) {
    if (!(error instanceof Fail)) throw error
    const [first, ...rest] = error.problems
    throw new Fail({ ...first, hint: [first.hint, 'or `policy reset` for the defaults: it keeps this file aside'].filter(Boolean).join('; ') }, ...rest)
  }
}

/** Changes what the file states and returns what holds then. @throws Fail when the file is damaged or the change is not sound */
export const changePolicy = (path: string, change: PolicyChange, providers: readonly ProviderFacts[]): Promise<UserPolicy> =>
  locked(path, async real => {
    await writeJson(real, changedPolicy(await stated(path, providers) ?? {}, change, providers), { durable: true })
    return loadPolicy(path, providers)
  })

export interface ResetPolicy extends UserPolicy {
  /** Where the former file is now. */
  readonly kept?: string
}

/** Goes back to the defaults: the file, sound or not, is moved to `<file>.old`. */
export const resetPolicy = (path: string, providers: readonly ProviderFacts[]): Promise<ResetPolicy> =>
  locked(path, async real => {
    const kept = `${real}.old`
    const wasThere = await exists(real)
    if (wasThere) await moveFile(real, kept)
    return { ...await loadPolicy(path, providers), ...(wasThere ? { kept } : {}) }
  })

async function locked<T>(path: string, body: (real: string) => Promise<T>): Promise<T> {
  const real = await realPathOf(path)
  try {
    return await withLock(`${real}.lock`, () => body(real))
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined || code.startsWith('ERR_')) throw error
    throw fail('settings.unwritable', `Cannot change "${path}": "${dirname(real)}" cannot be written (${code})`, {
      hint: 'name another file with --file or ALETHE_ORCHESTRATE_POLICY', facts: { systemCode: code },
    })
  }
}
