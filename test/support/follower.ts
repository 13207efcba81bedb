import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { StreamMessage } from '../../server/contract/schemas/stream.ts'

/** Follows a sandbox's stream, like an inspector that remembers everything it was sent. */
export async function follow(url: string, query = '') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream${query}`)
  const messages: StreamMessage[] = []
  const watchers = new Set<() => void>()
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)) as StreamMessage)
    for (const watcher of watchers) watcher()
  })
  socket.on('error', () => {})
  await once(socket, 'open')

  const seqs = (): number[] =>
    messages.flatMap((message) => (message.type === 'events' ? message.events.map(({ seq }) => seq) : []))

  return {
    socket,
    messages,
    seqs,
    /** Resolves once what was sent so far fulfils a condition. */
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) {
        await new Promise<void>((resolve) => {
          const watcher = () => {
            watchers.delete(watcher)
            resolve()
          }
          watchers.add(watcher)
        })
      }
    },
    close: () => socket.terminate(),
    [Symbol.asyncDispose]: async () => socket.terminate(),
  }
}
