/**
 * The globals of Node. A test that starts a sandbox in its own process may replace globals: a fake clock replaces the timers, and
 * an environment such as jsdom replaces the HTTP classes. So the build makes all code of the server, including bundled libraries,
 * use these globals and those of `node-fetch.ts` (`scripts/inject-globals.js`).
 */
import { Blob, File } from 'node:buffer'
import { webcrypto as crypto } from 'node:crypto'
import { performance as nodePerformance } from 'node:perf_hooks'
import { ReadableStream, TransformStream, WritableStream } from 'node:stream/web'
import * as timers from 'node:timers'
import { URL, URLSearchParams } from 'node:url'
import * as util from 'node:util'
import { MessageChannel, MessagePort } from 'node:worker_threads'

export { Blob, crypto, File, MessageChannel, MessagePort, URL, URLSearchParams }
export { ReadableStream, TransformStream, WritableStream }
export const { TextDecoder, TextEncoder } = util

/** The current globals, under a name that the build does not replace. */
const current = globalThis

/**
 * Returns the original of a global. If a fake clock of Vitest, Jest or Sinon has replaced the global, the original is a property
 * of its `clock`.
 */
function original<Value>(name: string, value: Value): Value {
  const { clock } = value as { clock?: Record<string, unknown> }
  const replaced = clock?.[`_${name}`]
  return replaced === undefined || replaced === value ? value : original(name, replaced as Value)
}

export const setTimeout = original('setTimeout', timers.setTimeout)
export const clearTimeout = original('clearTimeout', timers.clearTimeout)
export const setInterval = original('setInterval', timers.setInterval)
export const clearInterval = original('clearInterval', timers.clearInterval)
export const setImmediate = original('setImmediate', timers.setImmediate)
export const clearImmediate = original('clearImmediate', timers.clearImmediate)
export const queueMicrotask = original('queueMicrotask', current.queueMicrotask)
export const Date = original('Date', current.Date)

// A fake clock replaces the method `now` of the object `performance`, but not of its class. Bun has no such class.
const { now = nodePerformance.now } = Object.getPrototypeOf(nodePerformance) as Partial<Performance>
export const performance = {
  now: now.bind(nodePerformance),
  /** undici's `fetch` calls this after each answer. Nobody uses the measurements. */
  markResourceTiming: () => undefined,
}

// Node has these classes only as globals, so they are read from instances that this function creates. Bun does not have the
// function.
const { signal, constructor } = util.transferableAbortController?.() ?? new current.AbortController()
export const AbortController = constructor as typeof current.AbortController
export const AbortSignal = signal.constructor as typeof current.AbortSignal

// In jsdom and in Jest, these two belong to a different realm from Node's bytes.
export const Uint8Array = Object.getPrototypeOf(Buffer) as typeof current.Uint8Array
export const ArrayBuffer = new TextEncoder().encode().buffer.constructor as typeof current.ArrayBuffer

/**
 * Keeps a fake clock from replacing functions that Node's connections and HTTP classes use. Node looks these functions up at each
 * call, and would wait forever for the fake ones.
 */
export function keepNodeRunning(): void {
  protectFromFakeClock(process, 'nextTick')
  protectFromFakeClock(current, 'queueMicrotask')
}

function protectFromFakeClock<Name extends string>(owner: Record<Name, Callback>, name: Name): void {
  if (Object.getOwnPropertyDescriptor(owner, name)?.get) return
  const exposed = owner[name]
  const real = original(name, exposed)
  const protectedFunction: Callback = (...args) => real(...args)
  // A fake clock stores what it has to restore in properties of the function that it finds.
  Object.defineProperties(protectedFunction, Object.getOwnPropertyDescriptors(exposed))
  Object.defineProperty(owner, name, {
    configurable: true,
    enumerable: true,
    get: () => protectedFunction,
    set: () => {},
  })
}

type Callback = (callback: () => void, ...args: unknown[]) => void
