// Loaded into a server by --import. It reports the usage of the process, and exits together with the parent process.
process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
})
process.once('disconnect', () => process.exit())
