/** What tests want to know of a CLI's requests and of running processes. */
import { readFileSync } from 'node:fs'
import { array, field, string } from './json.ts'
import type { Asked } from './model-server.ts'

/** Requests to the model itself. */
export const calls = (asked: readonly Asked[]): readonly Asked[] => asked.filter(({ method, path }) => method === 'POST' && /\/(messages|responses)$/.test(path))

/** Names of the tools that a request offers to the model, those inside groups too. */
export const toolsIn = (request: Asked): string[] => array(field(request.body, 'tools')).flatMap(nameOf)

const nameOf = (tool: unknown): string[] => [string(field(tool, 'name')) || string(field(tool, 'type')), ...array(field(tool, 'tools')).flatMap(nameOf)]

/** Names of the tools that any of the requests offers. */
export const toolsOffered = (asked: readonly Asked[]): string[] => [...new Set(calls(asked).flatMap(toolsIn))].sort()

/** The texts a user's prompt consists of, in the last request. */
export function userTexts(asked: readonly Asked[]): string[] {
  const body = calls(asked).at(-1)?.body
  return array(field(body, 'messages') ?? field(body, 'input')).filter(message => field(message, 'role') === 'user').flatMap(message => {
    const content = field(message, 'content')
    return typeof content === 'string' ? [content] : array(content).map(part => string(field(part, 'text')))
  })
}

const parts = (pid: number, file: 'environ' | 'cmdline'): string[] => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1)

/** The environment that a process was started with. */
export const environOf = (pid: number): Record<string, string> => Object.fromEntries(parts(pid, 'environ').map(entry => {
  const at = entry.indexOf('=')
  return [entry.slice(0, at), entry.slice(at + 1)]
}))

/** The words that a process was started with. */
export const commandOf = (pid: number): string[] => parts(pid, 'cmdline')
