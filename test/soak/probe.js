import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Loaded into a process by `--import`. Answers every request to PROBE_PORT with measurements of the process.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

createServer((_request, response) => {
  const [delayMs, longestMs] = [delay.percentile(50) / 1e6, delay.max / 1e6]
  // Garbage must not count as memory, and collecting it must not count as delay.
  delay.disable()
  collectGarbage()
  const { rss, heapUsed } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  response.setHeader('connection', 'close')
  response.end(JSON.stringify({ rss, heap: heapUsed, handles, delayMs, longestMs }))
  delay.reset()
  delay.enable()
})
  .listen(Number(process.env.PROBE_PORT), '127.0.0.1')
  .unref()
