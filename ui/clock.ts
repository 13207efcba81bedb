import { computed, signal } from '@preact/signals'
import { createResource } from './resource.ts'
import { connection, settingsVersion } from './session.ts'
import { source } from './source.ts'

const TICK_MS = 1_000

const machine = signal(Date.now())
const tick = () => (machine.value = Date.now())
setInterval(tick, TICK_MS)

const loaded = createResource(() => {
  const isKnown = (connection.value === 'live' || connection.value === 'report') && settingsVersion.value >= 0
  return isKnown ? loadClock() : undefined
})

async function loadClock() {
  const { now: told, mode, offsetMs } = await source.clock()
  tick()
  const at = Date.parse(told)
  // Told from this page on: its machine may be another one, with another time.
  return { mode, at, offsetMs, ahead: at - machine.peek(), isShifted: mode === 'frozen' || offsetMs !== 0 }
}

/** How the sandbox's clock is set. `undefined` until that is known. */
export const clock = computed(() => (loaded.value.state === 'loaded' ? loaded.value.value : undefined))

/** The time by the sandbox's clock, for what is told there and for "12 seconds ago". */
export const now = computed(() => {
  const set = clock.value
  if (!set) return machine.value
  return set.mode === 'frozen' ? set.at : machine.value + set.ahead
})
