import { computed, signal } from '@preact/signals'
import { createResource } from './resource.ts'
import { canLoad } from './session.ts'
import { source } from './source.ts'

const TICK_MS = 1_000

const browserTime = signal(Date.now())
const tick = () => (browserTime.value = Date.now())
setInterval(tick, TICK_MS)

/**
 * The browser's offset from UTC. It changes if a laptop moves to another time zone, but existing formatters keep the old zone.
 */
export const utcOffset = computed(() => new Date(browserTime.value).getTimezoneOffset())

export const clockResource = createResource(() => (canLoad() ? loadClock() : undefined))

async function loadClock() {
  const { now: sandboxNow, mode, offsetMs } = await source.clock()
  tick()
  const at = Date.parse(sandboxNow)
  // The sandbox may run on another machine, whose clock differs from the browser's.
  return {
    mode,
    at,
    offsetMs,
    ahead: at - browserTime.peek(),
    isShifted: mode === 'frozen' || offsetMs !== 0,
  }
}

/** The setting of the sandbox's clock. `undefined` until it is loaded. */
export const clock = computed(() =>
  clockResource.value.state === 'loaded' ? clockResource.value.value : undefined,
)

/** The time of the sandbox's clock in milliseconds, updated every second. */
export const now = computed(() => {
  const set = clock.value
  if (!set) return browserTime.value
  return set.mode === 'frozen' ? set.at : browserTime.value + set.ahead
})
