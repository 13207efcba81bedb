// Shows a button below each example that can be sent, and then the answer. Without scripts, readers see only the commands.
/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('form.try')

for (const form of forms) {
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'))
  const { path, ...request } = JSON.parse(form.dataset.request ?? '')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    output.textContent = 'Sending…'
    output.textContent = await fetch(path, request).then(
      describe,
      (error) => `No answer came: ${error.message}`,
    )
  })
}

/** @param {Response} response */
async function describe(response) {
  const text = await response.text()
  try {
    return `HTTP ${response.status}\n${JSON.stringify(JSON.parse(text), null, 2)}`
  } catch {
    return `HTTP ${response.status}\n${text}`
  }
}
