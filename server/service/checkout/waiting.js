// Loads the next page once an operator has decided about the bank transfer. Without scripts the page refreshes
// itself.
const status = new URL('/payment/status', location.href)
status.search = location.search

setInterval(async () => {
  const response = await fetch(status).catch(() => undefined)
  if (!response?.ok) return
  const { waiting } = await response.json()
  // If this page answered a form, `location.reload()` would send the form again and pay.
  if (!waiting) location.replace(document.querySelector('a[data-next]').href)
}, 1000)
