import { startsEpoch, clearsAccount, type RecordedEvent } from '../../domain/events/event.ts'
import { createSignal } from '../../store/journal/signal.ts'
import type { Store } from '../../store/store.ts'

interface Watch {
  /** The account whose events count, or all. */
  readonly account?: string | undefined
  readonly timeoutMs: number
  /** Told of the event with which everything that counts began anew. */
  readonly onAnew?: (first: RecordedEvent) => void
}

/** Wakes whoever waits for something whenever something was recorded, until the time is up or they have gone. */
export function watch(store: Store, { account, timeoutMs, onAnew = () => {} }: Watch, signal: AbortSignal) {
  const bell = createSignal()
  const isAnew = (event: RecordedEvent): boolean =>
    startsEpoch(event) || (event.accountId === account && clearsAccount(event))
  const unsubscribe = store.feed.subscribe((recorded) => {
    const first = recorded.findLast(isAnew)
    if (first) onAnew(first)
    // What was due may not be any more once the clock was set.
    const concerns = recorded.some(({ type, accountId }) => accountId === account || type === 'clock.changed')
    if (first || account === undefined || concerns) bell.notify()
  })
  // A timer of its own: Node 20 collects a combined signal that nobody holds, and its time never comes.
  let isOver = timeoutMs === 0
  function end(): void {
    isOver = true
    bell.notify()
  }
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end)

  return {
    isOver: (): boolean => isOver,
    wait: bell.wait,
    stop(): void {
      unsubscribe()
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}
