import { maxHeaderSize, METHODS } from 'node:http'

/**
 * Returns whether Node or the URL parser rejects a request with this status and without a body, before the sandbox gets it.
 *
 * @param {import('./http-request.js').Request} request
 * @param {number} status
 */
export function isRejectedByNode({ method, target, headers }, status) {
  if (status === 431) return headerSize(target, headers) >= maxHeaderSize
  if (status !== 400) return false
  const [, host = ''] = headers.find(([name]) => name === 'Host') ?? []
  return !METHODS.includes(method) || !isHostName(host) || (target.split('?', 1)[0] ?? '').includes('\\')
}

/**
 * The size as Node counts it: without the separators.
 *
 * @param {string} target
 * @param {import('./http-request.js').Request['headers']} headers
 */
const headerSize = (target, headers) =>
  headers.reduce((size, [name, value]) => size + name.length + value.length, target.length)

/** @param {string} host */
const isHostName = (host) => /^[\w.-]+(:\d+)?$/.test(host) && URL.canParse(`http://${host}/`)
