import * as globals from './node-globals.ts'

/** In the build, this file replaces `node:timers/promises`, because a fake clock also changes the functions of that module. */
export function setTimeout<Value = void>(
  ms?: number,
  value?: Value,
  { ref = true, signal }: { readonly ref?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      globals.clearTimeout(timer)
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = globals.setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value as Value)
    }, ms)
    if (!ref) timer.unref()
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

export const setImmediate = (): Promise<void> =>
  new Promise((resolve) => void globals.setImmediate(() => resolve()))
