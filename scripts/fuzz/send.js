import { connect } from 'node:net'

/**
 * What a connection received until it was closed.
 *
 * @typedef {object} Answer
 * @property {number | null} status `null` without an HTTP answer
 * @property {Record<string, string>} headers
 * @property {Buffer} body
 * @property {boolean} isComplete
 * @property {Buffer} raw
 * @property {boolean} hasTimedOut
 * @property {number} ms
 */

/** Larger than every answer except downloaded files. */
const MAX_KEPT = 64 * 1024 * 1024

/**
 * Sends the bytes of a request. Resolves once the other side has closed the connection, or after the timeout.
 *
 * @param {string} url
 * @param {import('./http-request.js').Request} request
 * @param {number} timeoutMs
 * @returns {Promise<Answer>}
 */
export function send(url, { parts, isWellFormed, method, entryPoint }, timeoutMs) {
  const { hostname, port } = new URL(url)
  const began = performance.now()
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = []
    let size = 0
    let hasTimedOut = false
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const timer = setTimeout(() => {
      hasTimedOut = true
      socket.destroy()
    }, timeoutMs)
    socket.on('data', (chunk) => {
      size += chunk.length
      if (size <= MAX_KEPT) chunks.push(chunk)
      // An accepted WebSocket stays open until one side closes it.
      if (entryPoint === 'socket' && size === chunk.length) socket.end()
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      const raw = Buffer.concat(chunks)
      resolve({ ...parseResponse(raw, method), raw, hasTimedOut, ms: performance.now() - began })
    })
    for (const part of parts) socket.write(part)
    // The server may wait for the rest of a malformed request. A well-formed request stays open until it is answered.
    if (!isWellFormed) socket.end()
  })
}

/**
 * @param {Buffer} raw
 * @param {string} method
 */
export function parseResponse(raw, method) {
  const end = raw.indexOf('\r\n\r\n')
  const [first = '', ...lines] = raw.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]
  if (status === undefined) return { status: null, headers: {}, body: raw, isComplete: raw.length === 0 }
  if (status === '100') return parseResponse(raw.subarray(end + 4), method)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const rest = raw.subarray(end + 4)
  if (method === 'HEAD' || ['101', '204', '304'].includes(status))
    return { status: Number(status), headers, body: rest, isComplete: true }
  const { body, isComplete } =
    headers['transfer-encoding'] === 'chunked' ? dechunk(rest) : cutToLength(rest, headers['content-length'])
  return { status: Number(status), headers, body, isComplete }
}

/**
 * @param {Buffer} rest
 * @param {string | undefined} length
 */
const cutToLength = (rest, length) =>
  length === undefined
    ? { body: rest, isComplete: true }
    : { body: rest.subarray(0, Number(length)), isComplete: rest.length >= Number(length) }

/** @param {Buffer} rest */
function dechunk(rest) {
  const chunks = []
  let at = 0
  for (;;) {
    const line = rest.indexOf('\r\n', at)
    if (line === -1) return { body: Buffer.concat(chunks), isComplete: false }
    const size = Number.parseInt(rest.subarray(at, line).toString('latin1'), 16)
    if (size === 0) return { body: Buffer.concat(chunks), isComplete: true }
    if (!(line + 2 + size <= rest.length)) return { body: Buffer.concat(chunks), isComplete: false }
    chunks.push(rest.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
}
