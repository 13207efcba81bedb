import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { StreamMessage } from '../../server/contract/schemas/stream.ts'

/** Connects to a sandbox's stream and keeps every message. */
export async function followStream(url: string, query = '') {
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
    /** Resolves once the messages fulfil a condition. */
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
