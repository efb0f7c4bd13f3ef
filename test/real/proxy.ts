/**
 * A loopback proxy that refuses everything and remembers what it was asked for: programs that honour the proxy variables (claude
 * and codex do, which a test shows) cannot reach anybody else unnoticed. Of a program that ignores them it proves nothing.
 */
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Proxy extends AsyncDisposable {
  /** The variables that send a program here; the loopback address itself is exempt. */
  readonly env: Readonly<Record<string, string>>
  /** `CONNECT host:port`, or the method and address of a plain request. */
  readonly contacts: readonly string[]
  /** Forgets them, for tests that expect some. */
  forget(): void
}

export async function startProxy(): Promise<Proxy> {
  const contacts: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    contacts.push(`${request.method} ${request.url}`)
    response.writeHead(403, { connection: 'close' }).end()
  })
  server.on('connect', (request, socket) => {
    contacts.push(`CONNECT ${request.url}`)
    socket.on('error', () => undefined).end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  return {
    contacts,
    forget: () => { contacts.length = 0 },
    env: {
      ...Object.fromEntries(names.flatMap(name => [[name, url], [name.toLowerCase(), url]])),
      NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1',
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => { server.close(resolve) })
    },
  }
}
