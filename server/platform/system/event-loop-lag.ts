import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often the event loop is measured. Node adds this time to each delay. */
const RESOLUTION_MS = 10

const WINDOW_MS = 5_000
const WINDOWS = 12

/** The longest delay in each of the last windows, so that each reader gets the same maximum. */
const peaks: number[] = []
let delays: ReturnType<typeof monitorEventLoopDelay> | undefined

function observe(): ReturnType<typeof monitorEventLoopDelay> {
  const observed = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  observed.enable()
  setInterval(() => {
    peaks.push(observed.max)
    if (peaks.length > WINDOWS) peaks.shift()
    observed.reset()
  }, WINDOW_MS).unref()
  return observed
}

/** The longest time in seconds that this process was blocked during the last minute. The first call starts the measurement. */
export function maxEventLoopLag(): number {
  delays ??= observe()
  return Math.max(0, Math.max(delays.max, ...peaks) / 1e9 - RESOLUTION_MS / 1000)
}
