const { PAYLINK_URL = '', PAYLINK_ADMIN_TOKEN = '' } = process.env

if (PAYLINK_URL === '') {
  console.log('No sandbox was started, so there is nothing to keep.')
  process.exit(0)
}

/**
 * Reads a path of the control API of the sandbox that the action started.
 *
 * @param {string} path
 */
export async function readSandbox(path) {
  const url = `${PAYLINK_URL}/_sandbox/v1${path}`
  const response = await fetch(url, {
    headers: PAYLINK_ADMIN_TOKEN === '' ? {} : { authorization: `Bearer ${PAYLINK_ADMIN_TOKEN}` },
  })
  if (!response.ok) throw new Error(`GET ${url} was answered with HTTP ${response.status}.`)
  return response
}
