import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { reachableHost } from '../domain/network/loopback.ts'
import { describeValue, isPlainObject } from './option-value.ts'
import { DEFAULT_TIMEOUT_MS } from './default-timeout.ts'
import { readPayload, type Payload } from './payload.ts'

/** One request that reached a receiver. */
export interface Received {
  readonly method: string
  /** With the query, if there is one. */
  readonly path: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string
  readonly body: string
  readonly bytes: Uint8Array
  /** The literal pairs of a form, such as `data[pay_id]`. Empty for any other body. */
  readonly form: Readonly<Record<string, string>>
  /** The body, read as the form or the JSON it is. */
  readonly payload: Payload | undefined
}

/** What a receiver answers: a status, or more. */
export type Reply =
  | number
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** A reply, or what gives one. One that takes its time is a slow receiver. */
export type ReplyOrFunction = Reply | ((received: Received) => Reply | Promise<Reply>)

export interface ReceiverOptions {
  /** `/webhook` by default. */
  readonly path?: string
  /** 0, the default, finds a free one. */
  readonly port?: number
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** The address by which a sandbox on another machine reaches this one, without a path. */
  readonly origin?: string
}

/** A webhook endpoint, listening on a port of its own. */
export interface Receiver {
  /** The address to be notified at. */
  readonly url: string
  /** Everything that has come in. */
  readonly received: readonly Received[]
  /** The first request that was not taken yet, awaited for `timeoutMs`, 4000 by default. */
  next(options?: { readonly timeoutMs?: number }): Promise<Received>
  /** How it answers: each reply once and in order, the last one from then on. 200 until told otherwise. */
  reply(...replies: readonly [ReplyOrFunction, ...ReplyOrFunction[]]): void
  /** Throws what a reply function has thrown and nobody was told. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a webhook endpoint. `whyNot` says what became of webhooks that did not come. */
export async function startReceiver(
  { path = '/webhook', port = 0, host = '127.0.0.1', origin }: ReceiverOptions,
  whyNot: (url: string) => Promise<string>,
): Promise<Receiver> {
  const received: Received[] = []
  const waiting: ((one: Received | Error) => void)[] = []
  /** What reply functions have thrown, such as assertions: it is told to the test, which would pass otherwise. */
  const replyErrors: unknown[] = []
  let returned = 0
  let replies: ReplyOrFunction[] = [200]

  const server = createServer((request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      // The sandbox went away, or cut its attempt off.
      if (request.errored || response.destroyed) return
      replyErrors.push(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end('The reply function of the receiver failed')
    })
  })

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = toReceived(request, await buffer(request))
    received.push(one)
    const wakened = waiting.shift()
    if (wakened) {
      returned += 1
      wakened(one)
    }
    const replying = replies.length > 1 ? replies.shift()! : replies[0]!
    const reply = typeof replying === 'function' ? await replying(one) : replying
    if (typeof replying === 'function') assertReply(reply)
    const { status = 200, headers = {}, body = '' } = typeof reply === 'number' ? { status: reply } : reply
    response.writeHead(status, { ...headers }).end(body)
  }

  if (!path.startsWith('/')) throw new TypeError(`The path of a receiver begins with /, unlike ${path}.`)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const base = origin === undefined ? `http://${reachableHost(host)}:${address.port}` : new URL(origin).origin
  const url = base + path

  async function next({ timeoutMs = DEFAULT_TIMEOUT_MS } = {}): Promise<Received> {
    const ready = received[returned]
    if (ready) {
      returned += 1
      return ready
    }
    rethrowReplyError()
    const come = await new Promise<Received | Error | undefined>((resolve) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(wake), 1)
        resolve(undefined)
      }, timeoutMs)
      const wake = (one: Received | Error): void => {
        clearTimeout(timer)
        resolve(one)
      }
      waiting.push(wake)
    })
    if (come instanceof Error) throw come
    if (come) return come
    rethrowReplyError()
    // A sandbox that is gone cannot say.
    const why = await whyNot(url).catch((error: unknown) => String(error))
    throw new Error(
      `No webhook came to ${url} within ${timeoutMs} ms, after ${returned} that were taken. ${why}`,
    )
  }

  function rethrowReplyError(): void {
    if (replyErrors.length > 0) throw replyErrors.shift()
  }

  const close = async (): Promise<void> => {
    if (server.listening) {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      const gone = new Error(`The receiver at ${url} was closed while a webhook was awaited.`)
      for (const wake of waiting.splice(0)) wake(gone)
      await closed
    }
    rethrowReplyError()
  }
  return {
    url,
    received,
    next,
    reply(...told) {
      if (told.length === 0) throw new TypeError(`${REPLY_FORMS}, not nothing.`)
      for (const one of told) if (typeof one !== 'function') assertReply(one)
      replies = [...told]
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const REPLY_FORMS =
  'A receiver replies with a status from 200 to 599, with { status, headers, body }, or with a function that gives one'
const REPLY_KEYS = new Set(['status', 'headers', 'body'])

function assertReply(reply: Reply): void {
  const { status = 200, headers = {}, body = '' } = isPlainObject(reply) ? reply : { status: reply }
  const isKnown = !isPlainObject(reply) || Object.keys(reply).every((key) => REPLY_KEYS.has(key))
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599
  if (isKnown && isStatus && reply !== undefined && isPlainObject(headers) && typeof body === 'string') return
  throw new TypeError(`${REPLY_FORMS}, not with ${describeValue(reply)}.`)
}

function toReceived({ method = '', url = '', headers }: IncomingMessage, bytes: Buffer): Received {
  const contentType = headers['content-type'] ?? ''
  const body = bytes.toString()
  const isForm = contentType.startsWith('application/x-www-form-urlencoded')
  return {
    method,
    path: url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    ),
    contentType,
    body,
    bytes: new Uint8Array(bytes),
    form: isForm ? Object.fromEntries(new URLSearchParams(body)) : {},
    payload: readPayload(contentType, body),
  }
}
