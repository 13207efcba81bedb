import { once } from 'node:events'
import { WebSocket } from 'ws'
import { expect } from 'vitest'
import { encodeFrame, decodeFrame, type ListenerMessage } from '../../server/platform/tunnel-protocol.ts'

type Forwarded = Extract<ListenerMessage, { readonly type: 'request' }>

/** A listener that sends any message, valid or not. */
export async function startRawListener(
  url: string,
  name: string,
  { token, onRequest }: { readonly token?: string; readonly onRequest?: (request: Forwarded) => void } = {},
) {
  const address = `${url.replace('http', 'ws')}/_sandbox/v1/tunnels/${name}/listen`
  const socket = new WebSocket(`${address}?listener=raw&to=http://localhost:1`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  const heard: ListenerMessage[] = []
  socket.on('message', (data: Buffer) => {
    const { message } = decodeFrame<ListenerMessage>(data)!
    heard.push(message)
    if (message.type === 'request') onRequest?.(message)
  })
  await once(socket, 'open')
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  return {
    requests: () => heard.filter((message): message is Forwarded => message.type === 'request'),
    /** Sends any message, even one that the types forbid. */
    say: (message: object, text = ''): void =>
      socket.send(encodeFrame(message as Parameters<typeof encodeFrame>[0], Buffer.from(text))),
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = once(socket, 'close')
      socket.terminate()
      await closed
    },
  }
}
