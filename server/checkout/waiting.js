// Loads the page again once the transfer it waits for has been decided. Without scripts the page does so by itself.
const status = new URL('/payment/status', location.href)
status.search = location.search

setInterval(async () => {
  const response = await fetch(status).catch(() => undefined)
  if (!response?.ok) return
  const { waiting } = await response.json()
  if (!waiting) location.reload()
}, 1000)
