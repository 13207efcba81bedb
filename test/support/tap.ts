import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Starts a proxy that keeps what a server answers, byte for byte, one entry for each connection. */
export async function startTap(target: string) {
  const answers: Buffer[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const index = answers.push(Buffer.alloc(0)) - 1
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    for (const one of [socket, upstream]) {
      open.add(one)
      one.on('close', () => open.delete(one))
      one.on('error', () => {
        socket.destroy()
        upstream.destroy()
      })
    }
    upstream.on('data', (chunk: Buffer) => {
      answers[index] = Buffer.concat([answers[index]!, chunk])
    })
    socket.pipe(upstream)
    upstream.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
