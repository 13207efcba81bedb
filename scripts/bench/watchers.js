import { WebSocket } from 'ws'

// Inspectors that watch, in a process of their own: as many as it is told, until it is told another number.
/** @type {WebSocket[]} */
let watchers = []
let messages = 0

process.on('message', async (/** @type {{ url: string, count: number }} */ { url, count }) => {
  for (const watcher of watchers) watcher.terminate()
  const heard = messages
  messages = 0
  watchers = Array.from({ length: count }, () => new WebSocket(url))
  await Promise.all(
    watchers.map(async (watcher) => {
      // Its first message is a greeting.
      await new Promise((resolve) => watcher.once('message', resolve))
      watcher.on('message', () => messages++)
    }),
  )
  process.send?.(heard)
})
process.once('disconnect', () => process.exit())
