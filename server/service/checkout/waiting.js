// Loads the next page when an operator has approved or rejected the bank transfer. Without scripts, the page refreshes itself.
const status = new URL('/payment/status', location.href)
status.search = location.search

setInterval(async () => {
  const response = await fetch(status).catch(() => undefined)
  if (!response?.ok) return
  const { waiting } = await response.json()
  // Does not call `location.reload()`, because if this page is the response to a form, a reload would send the form again and
  // pay.
  if (!waiting) location.replace(document.querySelector('a[data-next]').href)
}, 1000)
