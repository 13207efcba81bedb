import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Deadline } from './deadline.ts'

/** Resolves with the start of the response. On an error or at the deadline, rejects and ends the request. */
export function responseTo(outgoing: ClientRequest, deadline: Deadline): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let hasBegun = false
    deadline.onEnd((reason) => {
      reject(reason)
      outgoing.destroy()
    })
    outgoing.once('response', (incoming) => {
      hasBegun = true
      resolve(incoming)
    })
    // Not `once`: the connection can fail after the response began, and an unhandled error would end the process.
    outgoing.on('error', reject)
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('it answered 101, to switch to a protocol other than HTTP'))
    })
    outgoing.once('close', () => {
      // The error is created only if it is needed, because that is slow.
      if (!hasBegun) reject(new Error('connection closed before an answer came'))
    })
  })
}
