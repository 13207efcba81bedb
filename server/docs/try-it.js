// Shows a button below each example that can be sent, and after a click, the response. Without scripts, readers see only the
// commands.
/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('form.try')

/** The id of the payment in the examples. Replaced by the id of the payment that the earlier requests have created. */
const EXAMPLE = /\b1001\b/g

for (const form of forms) {
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'))
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    output.textContent = 'Sending…'
    output.textContent = await sendAll(JSON.parse(form.dataset.requests ?? '')).catch(
      (error) => `No answer came: ${error.message}`,
    )
  })
}

/**
 * Sends requests one after another, and describes the last answer, or the first one that is an error.
 *
 * @param {{ path: string, method: string, headers: Record<string, string>, body: string }[]} requests
 */
async function sendAll(requests) {
  let payment = '1001'
  let answer = ''
  for (const { path, body, ...request } of requests) {
    const response = await fetch(path.replace(EXAMPLE, payment), {
      ...request,
      ...(body !== '' && { body: body.replace(EXAMPLE, payment) }),
    })
    const text = await response.text()
    answer = describe(response.status, text)
    if (!response.ok) break
    const { ResponseCode, data, link } = JSON.parse(text)
    if (ResponseCode === 0) break
    payment = String(link?.payId ?? data?.id ?? payment)
  }
  return answer
}

/**
 * @param {number} status
 * @param {string} text
 */
function describe(status, text) {
  try {
    return `HTTP ${status}\n${JSON.stringify(JSON.parse(text), null, 2)}`
  } catch {
    return `HTTP ${status}\n${text}`
  }
}
