import { connect } from 'node:net'
import type { FuzzRequest } from './request.ts'

/** The bytes that a connection received until it was closed. */
export interface Answer {
  /** `null` without an HTTP answer. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly isComplete: boolean
  readonly raw: Buffer
  readonly hasTimedOut: boolean
}

/** Every answer except a downloaded file is smaller. */
const MAX_KEPT = 64 * 1024 * 1024
/** Much longer than any request without a wait. A silent receiver takes ten seconds. */
const TIMEOUT_MS = 45_000

/** Sends the bytes of a request. Resolves when the other side has closed the connection, or after a time limit. */
export function send(url: string, { parts, isWellFormed, method, entryPoint }: FuzzRequest): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let hasTimedOut = false
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.setTimeout(TIMEOUT_MS, () => {
      hasTimedOut = true
      socket.destroy()
    })
    socket.on('data', (chunk) => {
      size += chunk.length
      if (size <= MAX_KEPT) chunks.push(chunk)
      // An accepted WebSocket stays open until one side closes it.
      if (entryPoint === 'socket' && size === chunk.length) socket.end()
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    socket.on('close', () => {
      const raw = Buffer.concat(chunks)
      resolve({ ...parseResponse(raw, method), raw, hasTimedOut })
    })
    for (const part of parts) socket.write(part)
    // The server may wait for the rest of a malformed request. The connection of a well-formed request stays open until the
    // answer.
    if (!isWellFormed) socket.end()
  })
}

export function parseResponse(raw: Buffer, method: string): Omit<Answer, 'raw' | 'hasTimedOut'> {
  const end = raw.indexOf('\r\n\r\n')
  const [first = '', ...lines] = raw.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]
  if (status === undefined) return { status: null, headers: {}, body: raw, isComplete: raw.length === 0 }
  const rest = raw.subarray(end + 4)
  if (status === '100') return parseResponse(rest, method)
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const head = { status: Number(status), headers }
  if (method === 'HEAD' || ['101', '204', '304'].includes(status))
    return { ...head, body: rest, isComplete: true }
  if (headers['transfer-encoding'] === 'chunked') return { ...head, ...dechunk(rest) }
  const length = Number(headers['content-length'] ?? rest.length)
  return { ...head, body: rest.subarray(0, length), isComplete: rest.length >= length }
}

function dechunk(rest: Buffer): { body: Buffer; isComplete: boolean } {
  const chunks = []
  for (let at = 0; ;) {
    const line = rest.indexOf('\r\n', at)
    const size = line === -1 ? Number.NaN : Number.parseInt(rest.subarray(at, line).toString('latin1'), 16)
    if (size === 0) return { body: Buffer.concat(chunks), isComplete: true }
    if (!(line + 2 + size <= rest.length)) return { body: Buffer.concat(chunks), isComplete: false }
    chunks.push(rest.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
}
