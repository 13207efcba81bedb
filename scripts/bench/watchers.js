import { WebSocket } from 'ws'

// Runs in another process. Each message names a number of event streams to open instead of the previous ones. The
// answer is the number of messages that the previous streams received.
/** @type {WebSocket[]} */
let watchers = []
let messages = 0

process.on('message', async (/** @type {{ url: string, count: number }} */ { url, count }) => {
  for (const watcher of watchers) watcher.terminate()
  const received = messages
  messages = 0
  watchers = Array.from({ length: count }, () => new WebSocket(url))
  await Promise.all(
    watchers.map(async (watcher) => {
      // The first message is a greeting.
      await new Promise((resolve) => watcher.once('message', resolve))
      watcher.on('message', () => messages++)
    }),
  )
  process.send?.(received)
})
process.once('disconnect', () => process.exit())
