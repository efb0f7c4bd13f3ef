/** A server of the Model Context Protocol with no tools. Started, it writes its process id into the file that its argument names. */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

writeFileSync(process.argv[2], `${process.pid}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'marker', version: '1.0.0' } }
    : method === 'tools/list' ? { tools: [{ name: 'marker_tool', description: 'Does nothing', inputSchema: { type: 'object' } }] } : {}
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
