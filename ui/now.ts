import { signal, type ReadonlySignal } from '@preact/signals'

const TICK_MS = 5_000

const ticking = signal(Date.now())
setInterval(() => (ticking.value = Date.now()), TICK_MS)

/** The time of day, for "12 seconds ago". */
export const now: ReadonlySignal<number> = ticking
