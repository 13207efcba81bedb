import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { StreamMessage } from '../../server/contract/schemas/stream.ts'
import { createCondition } from './condition.ts'

/** Connects to a sandbox's stream and keeps every message. */
export async function followStream(url: string, query = '') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream${query}`)
  const messages: StreamMessage[] = []
  const { notify, until } = createCondition()
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)) as StreamMessage)
    notify()
  })
  socket.on('error', () => {})
  await once(socket, 'open')

  const seqs = (): number[] =>
    messages.flatMap((message) => (message.type === 'events' ? message.events.map(({ seq }) => seq) : []))

  return {
    socket,
    messages,
    seqs,
    /** Resolves when the messages meet a condition. */
    until,
    close: () => socket.terminate(),
    [Symbol.asyncDispose]: async () => socket.terminate(),
  }
}
