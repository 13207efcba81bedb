import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 2_000

interface Options {
  /** Aborted when the sandbox stops. The action is then not repeated, because the next start does its work. */
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

/** Reports a failure of the store and repeats an action after a pause. Resolves at once if the sandbox stops. */
export async function repeatAfterFailure<Result>(
  failure: unknown,
  action: () => Result | Promise<Result>,
  { signal, onError }: Options,
): Promise<Result | undefined> {
  onError(failure)
  // No limit, because a failure of the store interrupts many deliveries and plans at once, and Node would warn.
  setMaxListeners(0, signal)
  await pause(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
  return signal.aborted ? undefined : action()
}
