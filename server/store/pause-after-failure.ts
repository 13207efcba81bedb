import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 2_000

interface Options {
  /** Aborted when the sandbox stops. The work is then not tried again, because the sandbox does it when it starts again. */
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

/** Reports a failure of the store, and waits until its work can be tried again. Resolves at once with `false` if the sandbox stops. */
export async function pauseAfterFailure(failure: unknown, { signal, onError }: Options): Promise<boolean> {
  onError(failure)
  // Removes the limit, because a failure of the store interrupts many deliveries and plans at once, and Node would warn.
  setMaxListeners(0, signal)
  await pause(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
  return !signal.aborted
}
