/**
 * A loopback HTTP server that stands for a model's service: it records what a CLI asks, and answers by a script that a tag in the
 * prompt names: `[[NAME ARGUMENT]]`. The last tag of the conversation counts; its steps are taken one after the other, one for each
 * tool result that came after it. What a service's requests and answers look like is the business of anthropic.ts and openai.ts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

type Headers = Readonly<Record<string, string>>

/** What the model does at one point of a script. */
export type Step =
  | { readonly do: 'say'; readonly text: string; readonly headers?: Headers; readonly outputTokens?: number; readonly afterMs?: number }
  | { readonly do: 'call'; readonly tool: string; readonly input: unknown; readonly headers?: Headers; readonly outputTokens?: number }
  | { readonly do: 'refuse'; readonly status: number; readonly body: unknown; readonly headers?: Headers }
  | { readonly do: 'hang' }

/** What a tag starts: its steps, from its argument and the folder that the CLI says it works in. */
export type Scripts = Readonly<Record<string, (argument: string, cwd: string) => readonly Step[]>>

/** A conversation as scripts see it: the texts that were sent to the model, and in between the results of its tools. */
export type Turn = { readonly text: string } | 'result'

/** One request. Of headers only the names are kept. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  /** The body, parsed; null where it is not JSON. */
  readonly body: unknown
  /** The body as it came. */
  readonly raw: string
}

/** What goes back: one JSON document, a stream of events, or nothing ever. */
export type Answer =
  | { readonly status: number; readonly headers?: Headers; readonly json: unknown }
  | { readonly headers?: Headers; readonly events: readonly Readonly<Record<string, unknown>>[]; readonly afterMs?: number }
  | 'silence'

export interface ModelServer extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly Asked[]
}

const tagPattern = /\[\[([a-z-]+)(?: ([^\]]*))?\]\]/g

/** What comes next in a conversation; a text without a tag is just answered. */
export function nextStep(scripts: Scripts, turns: readonly Turn[], cwd = ''): Step {
  let steps: readonly Step[] = [{ do: 'say', text: 'There was no tag to act on.' }]
  let at = 0
  for (const turn of turns) {
    if (turn === 'result') at++
    else for (const [, name = '', argument = ''] of turn.text.matchAll(tagPattern)) {
      const script = scripts[name]
      if (!script) continue
      steps = script(argument, cwd)
      at = 0
    }
  }
  return steps[Math.min(at, steps.length - 1)]!
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const raw = Buffer.concat(chunks).toString('utf8')
  let body: unknown = null
  try {
    body = JSON.parse(raw)
  } catch {
    // A request without a body, or one of another kind.
  }
  return { method: request.method ?? '', path: (request.url ?? '').split('?', 1)[0]!, headers: Object.keys(request.headers), body, raw }
}

async function send(response: ServerResponse, answer: Answer, ending: AbortSignal): Promise<void> {
  if (answer === 'silence') return
  if ('json' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(JSON.stringify(answer.json))
    return
  }
  if (answer.afterMs) await pause(answer.afterMs, undefined, { signal: ending })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...answer.headers })
  for (const event of answer.events) response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}

/** Starts a server on a free port of the loopback address. `answer` gets each request and how many came before it. */
export async function serve(answer: (asked: Asked, before: number) => Answer): Promise<ModelServer> {
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  const ending = new AbortController()
  const server = createServer((request, response) => {
    const reply = async (): Promise<void> => {
      const one = await read(request)
      asked.push(one)
      await send(response, answer(one, asked.length - 1), ending.signal)
    }
    // A CLI that was ended breaks its connection off.
    reply().catch(() => { response.destroy() })
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      ending.abort()
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => { server.close(resolve) })
    },
  }
}
