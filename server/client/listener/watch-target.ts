import { setTimeout as pause } from 'node:timers/promises'
import { whyUnreachable } from './post-local.ts'

const CHECK_INTERVAL_MS = 500

/** Watches whether an app listens at the local address. Polls only while none is listening. */
export function watchTarget(to: string, onChange: (isUp: boolean, why: string) => void, signal: AbortSignal) {
  let isUp: boolean | null = null
  let polling: Promise<void> | undefined

  function set(isListening: boolean, why: string): void {
    if (isUp === isListening) return
    isUp = isListening
    onChange(isListening, why)
  }

  async function check(): Promise<boolean> {
    const why = await whyUnreachable(to)
    set(why === null, why ?? '')
    return why === null
  }

  async function poll(): Promise<void> {
    while (!signal.aborted && !(await check())) {
      await pause(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => {})
    }
    polling = undefined
  }
  const waitUntilUp = (): Promise<void> => (polling ??= poll())

  return {
    /** Resolves when the first check is done. */
    firstCheck: check().then((found) => {
      if (!found) void waitUntilUp()
    }),
    isUp: () => isUp,
    /** Resolves when an app listens, or when the signal is aborted. */
    waitUntilUp,
    /** Must be called if a request could not connect. */
    setDown(why: string): void {
      set(false, why)
      void waitUntilUp()
    },
    setUp: (): void => set(true, ''),
  }
}

export type TargetWatcher = ReturnType<typeof watchTarget>
