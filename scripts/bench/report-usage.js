// Loaded before a server, so that it tells how much it has used, and ends with whoever started it.
process.on('message', (question) => {
  if (question !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
})
process.once('disconnect', () => process.exit())
