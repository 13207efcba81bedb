import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into the sandbox that is watched: says how it is whenever it is asked.
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
process.on('message', () => {
  // What is garbage does not count.
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  process.send?.({
    rss,
    heap: heapUsed,
    handles,
    delayMs: delay.percentile(50) / 1e6,
    longestMs: delay.max / 1e6,
  })
  // Nor does the time that the collection took.
  setTimeout(() => delay.reset(), 50).unref()
})
process.channel?.unref()
