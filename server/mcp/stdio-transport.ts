import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import type { Readable, Writable } from 'node:stream'
import { formatMebibytes, MIB } from '../domain/http/limits.ts'
import { isRecord } from '../domain/text/is-object.ts'
import { truncate } from '../domain/text/truncate.ts'
import { visibleLine } from '../domain/text/visible.ts'

/** The maximum size of a message, in bytes. */
export const MAX_MESSAGE_BYTES = 10 * MIB

/** How long the last responses may take after the client has closed its input. */
const MAX_LAST_ANSWERS_MS = 5_000

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602

/** If a line is too long, its id is searched for only in this many bytes at its beginning and end. */
const ID_PART_BYTES = 200
const ID = String.raw`"id"\s*:\s*(-?[1-9]\d*|0|"[\w.:-]*")\s*`
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`
const HEAD_ID = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID},`)
const TAIL_ID = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`)

type Id = string | number

/**
 * Reads and writes one message per line. The library's own transport ignores invalid messages, so that the client waits forever,
 * and ends the server after a long line. This transport responds with the errors of JSON-RPC.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  readonly #stdin: Readable
  readonly #stdout: Writable
  /** The beginning of a line that has not ended yet. */
  #line: Buffer[] = []
  #lineBytes = 0
  /** The beginning and the end of a line that is too long. */
  #tooLong: { readonly head: string; tail: string } | undefined
  /** The requests that have no response yet. */
  readonly #unanswered = new Set<Id>()
  #isEnded = false
  #isClosed = false
  #resolveClosed = (): void => {}
  readonly closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve))

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin
    this.#stdout = stdout
  }

  async start(): Promise<void> {
    this.#stdin.on('data', this.#onData)
    this.#stdin.on('error', this.#onStreamError)
    this.#stdin.once('end', this.#onEnd)
    this.#stdin.once('close', this.#onEnd)
    this.#stdout.on('error', this.#onStreamError)
    this.#stdout.on('drain', this.#onDrain)
    if (this.#stdin.readableEnded || this.#stdin.destroyed) this.#onEnd()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return
    // If a client does not read its responses, no more responses are written, and its requests wait.
    if (!this.#stdout.write(`${JSON.stringify(message)}\n`)) this.#stdin.pause()
    if ('id' in message && message.id !== undefined && !('method' in message)) this.#settle(message.id)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stdin.off('data', this.#onData)
    this.#stdin.off('end', this.#onEnd)
    this.#stdin.off('close', this.#onEnd)
    this.#stdin.pause()
    this.#stdout.off('drain', this.#onDrain)
    this.#resolveClosed()
    this.onclose?.()
  }

  readonly #onStreamError = (error: Error): void => {
    if (this.#isClosed) return
    this.onerror?.(error)
    void this.close()
  }

  readonly #onDrain = (): void => void this.#stdin.resume()

  readonly #onData = (chunk: Buffer | string): void => {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      this.#append(rest.subarray(0, end))
      this.#endLine()
      rest = rest.subarray(end + 1)
    }
    this.#append(rest)
  }

  #append(bytes: Buffer): void {
    this.#lineBytes += bytes.length
    this.#line.push(bytes)
    if (this.#lineBytes <= MAX_MESSAGE_BYTES) return
    const head = this.#tooLong?.head ?? Buffer.concat(this.#line).toString('latin1', 0, ID_PART_BYTES)
    const tail = (this.#tooLong?.tail ?? '') + bytes.subarray(-ID_PART_BYTES).toString('latin1')
    this.#tooLong = { head, tail: tail.slice(-ID_PART_BYTES) }
    this.#line = []
  }

  #endLine(): void {
    const [line, tooLong] = [this.#line, this.#tooLong]
    this.#line = []
    this.#lineBytes = 0
    this.#tooLong = undefined
    if (tooLong === undefined) return this.#readLine(Buffer.concat(line))
    const message = `A message should have at most ${formatMebibytes(MAX_MESSAGE_BYTES)}`
    this.#reject(idIn(tooLong.head, tooLong.tail), INVALID_REQUEST, message)
  }

  #readLine(bytes: Buffer): void {
    let value: unknown
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
      if (text === '') return
      value = JSON.parse(text)
    } catch (error) {
      this.#reject(null, PARSE_ERROR, `A message should be one line of JSON: ${messageOf(error)}`)
      return
    }
    if (Array.isArray(value)) this.#rejectBatch(value)
    else this.#readMessage(value)
  }

  #readMessage(value: unknown): void {
    if (!isRecord(value) || value.jsonrpc !== '2.0') {
      this.#reject(idOf(value), INVALID_REQUEST, 'A message should be an object with "jsonrpc": "2.0"')
    } else if (typeof value.method !== 'string') {
      // A response is not answered.
      if (isJSONRPCResponse(value)) this.onmessage?.(value)
      else if (!('result' in value || 'error' in value)) {
        this.#reject(idOf(value), INVALID_REQUEST, 'A request should have a method')
      }
    } else if (!('id' in value)) {
      if (isJSONRPCNotification(value)) this.#deliver(value)
      else this.onerror?.(new Error(`Ignored the notification ${value.method}: its params are invalid`))
    } else if (idOf(value) === null) {
      this.#reject(null, INVALID_REQUEST, 'The id of a request should be text or a whole number')
    } else if (isJSONRPCRequest(value)) {
      this.#unanswered.add(value.id)
      this.#deliver(value)
    } else {
      this.#reject(
        idOf(value),
        INVALID_PARAMS,
        'The params of a request should be an object, and so should their _meta',
      )
    }
  }

  #deliver(message: JSONRPCMessage): void {
    this.onmessage?.(message)
    // A cancelled request is not answered.
    if ('method' in message && message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { readonly requestId?: Id }
      if (requestId !== undefined) this.#settle(requestId)
    }
  }

  /** MCP has had no batches since 2025-06-18. Each request in a batch gets an error. */
  #rejectBatch(batch: readonly unknown[]): void {
    const ids = batch.filter((value) => isRecord(value) && typeof value.method === 'string').map(idOf)
    const requests = ids.filter((id) => id !== null)
    for (const id of requests.length > 0 ? requests : [null]) {
      this.#reject(id, INVALID_REQUEST, 'Send each message as a line of its own, not in a batch')
    }
  }

  #reject(id: Id | null, code: number, message: string): void {
    this.onerror?.(new Error(message))
    const answer = { jsonrpc: '2.0', id, error: { code, message } }
    void this.send(answer as unknown as JSONRPCMessage)
  }

  #settle(id: Id): void {
    this.#unanswered.delete(id)
    if (this.#isEnded && this.#unanswered.size === 0) void this.close()
  }

  /** Sends the last responses after the client has closed its input, as with `echo … | paylink-sandbox mcp`. */
  readonly #onEnd = (): void => {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#endLine()
    if (this.#unanswered.size === 0) void this.close()
    else setTimeout(() => void this.close(), MAX_LAST_ANSWERS_MS).unref()
  }
}

/** The id of a request. `null` if the value is not an id. */
function idOf(value: unknown): Id | null {
  const id = isRecord(value) ? value.id : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : null
}

/** The id of a request whose middle was discarded. Clients write the id at the beginning or at the end of a message. */
function idIn(head: string, tail: string): Id | null {
  const idMatch = head.includes('"method"') ? (HEAD_ID.exec(head) ?? TAIL_ID.exec(tail)) : null
  return idMatch === null ? null : idOf({ id: JSON.parse(idMatch[1]!) })
}

const messageOf = (error: unknown): string =>
  visibleLine(truncate(error instanceof Error ? error.message : String(error), 200))
