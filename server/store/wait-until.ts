import type { RecordedEvent } from '../domain/events/event.ts'
import { createSignal } from './journal/signal.ts'
import type { Store } from './store.ts'

interface Condition<Result> {
  /** Whether an event can change the result of `check`. */
  readonly match: (event: RecordedEvent) => boolean
  /**
   * Checks the condition. Returns `undefined` or `false` if it is not met yet. `isOver` says whether the wait has ended, so that
   * a slow check can end early.
   */
  readonly check: (isOver: () => boolean) => Promise<Result | undefined | false>
  readonly signal?: AbortSignal
  /** The maximum time to wait. If undefined, only `signal` ends the wait. */
  readonly timeoutMs?: number
}

/**
 * Runs `check` at once, and again after each commit with a matching event, until it returns a result. When the time is over or
 * the signal is aborted, runs `check` one last time, and returns `undefined` if there is still no result. Subscribes before the
 * first check, so that no event in between is missed.
 */
export async function waitUntil<Result>(
  store: Store,
  { match, check, signal, timeoutMs }: Condition<Result>,
): Promise<Result | undefined> {
  const changed = createSignal()
  const unsubscribe = store.eventBus.subscribe((recorded) => {
    if (recorded.some(match)) changed.notify()
  })
  // A plain timer, because Node 20 may garbage-collect a signal of `AbortSignal.any`, which then never fires.
  let isOver = signal?.aborted === true || timeoutMs === 0
  const endsAt = performance.now() + (timeoutMs ?? Infinity)
  function end(): void {
    isOver = true
    changed.notify()
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs)
  signal?.addEventListener('abort', end)

  try {
    for (;;) {
      const isLast = isOver
      const result = await check(() => isOver || performance.now() > endsAt)
      if (result !== undefined && result !== false) return result
      if (isLast) return undefined
      await changed.wait()
    }
  } finally {
    unsubscribe()
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}
