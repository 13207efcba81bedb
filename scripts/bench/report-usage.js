import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into a server by --import. It reports the usage of the process, and exits together with the parent process.
const delays = monitorEventLoopDelay({ resolution: 1 })
process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
  }
  if (message === 'pause') {
    process.send?.(delays.max / 1e6)
    delays.reset()
    // Measuring takes processor time, so it begins with the first request.
    delays.enable()
  }
})
process.once('disconnect', () => process.exit())
