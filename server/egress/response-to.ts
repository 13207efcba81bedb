import type { ClientRequest, IncomingMessage } from 'node:http'

/** Resolves with the start of the response. Rejects on an error or when the signal aborts, and ends the request then. */
export function responseTo(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      reject(signal.reason)
      outgoing.destroy()
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    outgoing.once('response', resolve)
    // Not `once`: the connection can fail after the response began, and an unhandled error would end the process.
    outgoing.on('error', reject)
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('it answered 101, to switch to a protocol other than HTTP'))
    })
    outgoing.once('close', () => reject(new Error('connection closed before an answer came')))
  })
}
