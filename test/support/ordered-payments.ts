import type { ServerResponse } from 'node:http'
import { connectTo, payRequest, waitRequest } from './pipelined-requests.ts'
import { startReceiver } from './receiver.ts'
import type { OpenSandbox } from './sandbox.ts'

export const CALLBACK = 'http://shop.test/done'
export const CARD = { method: 'card', outcome: 'pay' }

type Calls = Pick<OpenSandbox, 'control'>

export const eventsOf = async (
  { control }: Calls,
  pattern = /^(link\.paid|redirect|delivery)/,
): Promise<string[]> => {
  const { answer } = await control('GET', '/events?limit=1000')
  return answer.events.map(({ type }) => type).filter((type) => pattern.test(type))
}

/** A receiver that answers on command. */
export async function holdReceiver() {
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_received, response) => void held.push(response))
  return {
    ...receiver,
    answer: (status = 200) => held.shift()!.writeHead(status).end(),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}

/** A customer who has paid, and whose redirect waits behind another response on the same connection. */
export async function payBehindAnotherResponse(calls: Calls & { readonly url: string }) {
  const socket = await connectTo(calls)
  socket.on('error', () => {}).resume()
  socket.write(waitRequest() + payRequest(1001))
  await calls.control('POST', '/events/wait', { match: { type: 'link.paid' } })
  return socket
}
