import { connect } from 'node:net'

/**
 * What came back on a connection until it was closed.
 *
 * @typedef {object} Answer
 * @property {number | null} status `null` where nothing came that is HTTP
 * @property {Record<string, string>} headers
 * @property {Buffer} body
 * @property {boolean} isWhole
 * @property {Buffer} raw
 * @property {boolean} hung whether it was given up
 * @property {number} ms
 */

/** More of an answer than any door gives but those of files. */
const MAX_KEPT = 64 * 1024 * 1024

/**
 * Sends bytes as they are, and resolves once the other side has closed the connection.
 *
 * @param {string} url
 * @param {import('./http-request.js').Request} request
 * @param {number} boundMs
 * @returns {Promise<Answer>}
 */
export function send(url, { parts, isSound, method, door }, boundMs) {
  const { hostname, port } = new URL(url)
  const began = performance.now()
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = []
    let size = 0
    let hung = false
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const bound = setTimeout(() => {
      hung = true
      socket.destroy()
    }, boundMs)
    socket.on('data', (chunk) => {
      size += chunk.length
      if (size <= MAX_KEPT) chunks.push(chunk)
      // A socket that was let in stays until one side ends it.
      if (door === 'socket' && size === chunk.length) socket.end()
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(bound)
      const raw = Buffer.concat(chunks)
      resolve({ ...parseResponse(raw, method), raw, hung, ms: performance.now() - began })
    })
    for (const part of parts) socket.write(part)
    // Whoever sends what is no request waits for no answer. A sound one is not given up by its sender.
    if (!isSound) socket.end()
  })
}

/**
 * @param {Buffer} raw
 * @param {string} method
 */
function parseResponse(raw, method) {
  const end = raw.indexOf('\r\n\r\n')
  const [first = '', ...lines] = raw.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]
  if (status === undefined) return { status: null, headers: {}, body: raw, isWhole: raw.length === 0 }
  if (status === '100') return parseResponse(raw.subarray(end + 4), method)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const rest = raw.subarray(end + 4)
  if (method === 'HEAD' || ['101', '204', '304'].includes(status))
    return { status: Number(status), headers, body: rest, isWhole: true }
  const { body, isWhole } =
    headers['transfer-encoding'] === 'chunked' ? dechunk(rest) : cutToLength(rest, headers['content-length'])
  return { status: Number(status), headers, body, isWhole }
}

/**
 * @param {Buffer} rest
 * @param {string | undefined} length
 */
const cutToLength = (rest, length) =>
  length === undefined
    ? { body: rest, isWhole: true }
    : { body: rest.subarray(0, Number(length)), isWhole: rest.length >= Number(length) }

/** @param {Buffer} rest */
function dechunk(rest) {
  const chunks = []
  let at = 0
  for (;;) {
    const line = rest.indexOf('\r\n', at)
    if (line === -1) return { body: Buffer.concat(chunks), isWhole: false }
    const size = Number.parseInt(rest.subarray(at, line).toString('latin1'), 16)
    if (size === 0) return { body: Buffer.concat(chunks), isWhole: true }
    if (!(line + 2 + size <= rest.length)) return { body: Buffer.concat(chunks), isWhole: false }
    chunks.push(rest.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
}
