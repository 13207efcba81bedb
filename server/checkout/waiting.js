// Goes on once the transfer it waits for has been decided. Without scripts the page loads itself again.
const status = new URL('/payment/status', location.href)
status.search = location.search

setInterval(async () => {
  const response = await fetch(status).catch(() => undefined)
  if (!response?.ok) return
  const { waiting } = await response.json()
  // Not `reload`, which would send a form again where this page was the answer to one.
  if (!waiting) location.replace(document.querySelector('a[data-next]').href)
}, 1000)
