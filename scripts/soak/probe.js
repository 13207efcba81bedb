import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into the sandbox by --import. Answers each message with measurements of the process.
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
process.on('message', () => {
  // Garbage must not count as memory.
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
  // The collection must not count as delay.
  setTimeout(() => delay.reset(), 50).unref()
})
process.channel?.unref()
