import type { ListenerSocketOptions } from './connect-once.ts'
import { listen, listenerName } from './listen.ts'
import { ListenerRejectedError } from './rejected-error.ts'
import { SandboxError } from '../../contract/sandbox-error.ts'

type ListenerOptions = Omit<ListenerSocketOptions, 'listener'> & { readonly listener: string | undefined }

/** Starts a listener that prints nothing. Throws `SandboxError` if it cannot connect. */
export async function startListener(options: ListenerOptions) {
  const id = options.listener ?? listenerName(options.to)
  const ended = new AbortController()
  let isConnected = false
  let over: Promise<void> = Promise.resolve()

  await new Promise<void>((resolve, reject) => {
    const events = {
      onConnected() {
        isConnected = true
        resolve()
      },
      onUnreachable(why: string) {
        if (isConnected) return
        ended.abort()
        reject(new SandboxError(`No sandbox answers at ${options.url}: ${why}.`, 'listen', null))
      },
      onDisconnected() {},
      onTargetChange() {},
      onForwarded() {},
      onDropped() {},
    }
    over = listen({ ...options, listener: id }, events, ended.signal).catch((error: unknown) => {
      reject(
        error instanceof ListenerRejectedError
          ? new SandboxError(error.message, 'listen', error.status)
          : error,
      )
    })
  })
  return {
    id,
    async end(): Promise<void> {
      ended.abort()
      await over
    },
  }
}
