import { readFileSync } from 'node:fs'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'

const TIMEOUT_MS = 60_000

/**
 * Reads a path of the control API.
 *
 * @param {import('./home.js').Ready} sandbox
 * @param {string} path
 * @param {string | undefined} adminToken
 * @returns {Promise<Buffer>}
 */
export async function readSandbox({ url, certificate }, path, adminToken) {
  const address = `${url}/_sandbox/v1${path}`
  const options = {
    headers: adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // `fetch` cannot trust a further certificate.
    ...(certificate && { ca: readFileSync(certificate.file) }),
  }
  const get = url.startsWith('https:') ? getHttps : getHttp
  /** @type {import('node:http').IncomingMessage} */
  const response = await new Promise((resolve, reject) => {
    get(address, options, resolve).once('error', (cause) =>
      reject(new Error(`GET ${address} failed`, { cause })),
    )
  })
  const body = await buffer(response)
  if (response.statusCode === 401) {
    throw new Error(
      `GET ${address} requires the admin token. Pass it in the input flags as --admin-token, or to this step in the variable PAYLINK_ADMIN_TOKEN.`,
    )
  }
  if (response.statusCode !== 200) throw new Error(`GET ${address} returned HTTP ${response.statusCode}.`)
  return body
}
