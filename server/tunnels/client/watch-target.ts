import { setTimeout as pause } from 'node:timers/promises'
import { whyUnreachable } from './post-local.ts'

const CHECK_INTERVAL_MS = 500

/** Knows whether something listens at the local address. It looks only while nothing does. */
export function watchTarget(to: string, onChange: (isUp: boolean, why: string) => void, signal: AbortSignal) {
  let isUp: boolean | null = null
  let polling: Promise<void> | undefined

  function set(now: boolean, why: string): void {
    if (isUp === now) return
    isUp = now
    onChange(now, why)
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
  const untilUp = (): Promise<void> => (polling ??= poll())

  return {
    /** Resolves once it has looked for the first time. */
    known: check().then((found) => {
      if (!found) void untilUp()
    }),
    isUp: () => isUp,
    /** Resolves once something listens, or it is over. */
    untilUp,
    /** A post found nobody. */
    down(why: string): void {
      set(false, why)
      void untilUp()
    },
    up: (): void => set(true, ''),
  }
}

export type TargetWatcher = ReturnType<typeof watchTarget>
