import { maxHeaderSize, METHODS } from 'node:http'

/**
 * Whether Node, or what reads addresses for the sandbox, refuses a request before the sandbox has it: with that status
 * and without a word.
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
 * As Node counts it: without what stands between names and values.
 *
 * @param {string} target
 * @param {import('./http-request.js').Request['headers']} headers
 */
const headerSize = (target, headers) =>
  headers.reduce((size, [name, value]) => size + name.length + value.length, target.length)

/** @param {string} host */
const isHostName = (host) => /^[\w.-]+(:\d+)?$/.test(host) && URL.canParse(`http://${host}/`)
