import { setTimeout as pause } from 'node:timers/promises'
import { whyDown } from './post-local.ts'

const EVERY_MS = 500

/** Knows whether something listens at the local address. It looks only while nothing does. */
export function watchTarget(to: string, changed: (isUp: boolean, why: string) => void, signal: AbortSignal) {
  let isUp: boolean | null = null
  let looking: Promise<void> | undefined

  function set(now: boolean, why: string): void {
    if (isUp === now) return
    isUp = now
    changed(now, why)
  }

  async function look(): Promise<boolean> {
    const why = await whyDown(to)
    set(why === null, why ?? '')
    return why === null
  }

  async function keepLooking(): Promise<void> {
    while (!signal.aborted && !(await look())) {
      await pause(EVERY_MS, undefined, { signal }).catch(() => {})
    }
    looking = undefined
  }
  const untilUp = (): Promise<void> => (looking ??= keepLooking())

  return {
    /** Resolves once it has looked for the first time. */
    known: look().then((found) => {
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

export type Target = ReturnType<typeof watchTarget>
