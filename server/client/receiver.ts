import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { reachableHost } from '../domain/network/loopback.ts'
import { isPlainObject } from '../domain/text/is-object.ts'
import { describeValue } from './option-value.ts'
import { DEFAULT_TIMEOUT_MS } from './default-timeout.ts'
import { readPayload, type Payload } from './payload.ts'

/** A request that reached a receiver. */
export interface Received {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string
  readonly body: string
  readonly bytes: Uint8Array
  /** The fields of a form by their literal names, such as `data[pay_id]`. Empty for any other body. */
  readonly form: Readonly<Record<string, string>>
  /** The decoded body of a form or JSON. `undefined` for any other body. */
  readonly payload: Payload | undefined
}

/** The response of a receiver: a status from 200 to 599, or an object. */
export type Reply =
  | number
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** A reply, or a function that returns one. A function that waits makes the receiver slow. */
export type ReplyOrFunction = Reply | ((received: Received) => Reply | Promise<Reply>)

export interface ReceiverOptions {
  /** `/webhook` by default. */
  readonly path?: string
  /** A free port by default. */
  readonly port?: number
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** The origin at which a sandbox on another machine reaches this receiver: `http://192.168.0.7:3000`. */
  readonly origin?: string
}

/** A running webhook endpoint. */
export interface Receiver {
  /** The URL for `paymentEndpoint`. */
  readonly url: string
  /** All requests so far. */
  readonly received: readonly Received[]
  /**
   * Returns the oldest request that `next` has not returned yet. If there is none, waits for one, by default for 4000 ms. On
   * timeout, the error lists the newest webhooks. If a reply function has thrown an error, throws that error.
   */
  next(options?: { readonly timeoutMs?: number }): Promise<Received>
  /**
   * Sets the replies to the next requests, one for each. The last reply is also used for all further requests. By default, every
   * reply is 200.
   */
  reply(...replies: readonly [ReplyOrFunction, ...ReplyOrFunction[]]): void
  /** Stops listening. If a reply function has thrown an error that `next` has not thrown yet, throws that error. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a webhook endpoint. After a timeout, `explainMissing` describes the newest webhooks for the error. */
export async function startReceiver(
  { path = '/webhook', port = 0, host = '127.0.0.1', origin }: ReceiverOptions,
  explainMissing: (url: string) => Promise<string>,
): Promise<Receiver> {
  const received: Received[] = []
  const waiting: ((one: Received | Error) => void)[] = []
  /** Errors of reply functions, such as failed assertions. They are thrown later, so that the test does not pass. */
  const replyErrors: unknown[] = []
  let returned = 0
  let replies: ReplyOrFunction[] = [200]

  const server = createServer((request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      // The sandbox has closed the connection.
      if (request.errored || response.destroyed) return
      replyErrors.push(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end('The reply function of the receiver failed')
    })
  })

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = toReceived(request, await buffer(request))
    received.push(one)
    const waiter = waiting.shift()
    if (waiter) {
      returned += 1
      waiter(one)
    }
    const replyOrFunction = replies.length > 1 ? replies.shift()! : replies[0]!
    const reply = typeof replyOrFunction === 'function' ? await replyOrFunction(one) : replyOrFunction
    if (typeof replyOrFunction === 'function') assertReply(reply)
    const { status = 200, headers = {}, body = '' } = typeof reply === 'number' ? { status: reply } : reply
    response.writeHead(status, { ...headers }).end(body)
  }

  if (!path.startsWith('/'))
    throw new TypeError(`The path of a receiver is ${describeValue(path)}. It must begin with /.`)
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
    const arrived = await new Promise<Received | Error | undefined>((resolve) => {
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
    if (arrived instanceof Error) throw arrived
    if (arrived) return arrived
    rethrowReplyError()
    // `explainMissing` fails if the sandbox is already closed.
    const why = await explainMissing(url).catch((error: unknown) => String(error))
    throw new Error(
      `No webhook reached ${url} within ${timeoutMs} ms. next() has returned ${returned} before. ${why}`,
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
      const gone = new Error(`The receiver at ${url} was closed while next() waited for a webhook.`)
      for (const waiter of waiting.splice(0)) waiter(gone)
      await closed
    }
    rethrowReplyError()
  }
  return {
    url,
    received,
    next,
    reply(...told) {
      if (told.length === 0) throw new TypeError(`reply was called without a reply. ${REPLY_FORMS}.`)
      for (const one of told) if (typeof one !== 'function') assertReply(one)
      replies = [...told]
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const REPLY_FORMS =
  'A reply is a status from 200 to 599, { status, headers, body }, or a function that returns one of these'
const REPLY_KEYS = new Set(['status', 'headers', 'body'])

function assertReply(reply: Reply): void {
  const { status = 200, headers = {}, body = '' } = isPlainObject(reply) ? reply : { status: reply }
  const isKnown = !isPlainObject(reply) || Object.keys(reply).every((key) => REPLY_KEYS.has(key))
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599
  if (isKnown && isStatus && reply !== undefined && isPlainObject(headers) && typeof body === 'string') return
  throw new TypeError(`${REPLY_FORMS}, not ${describeValue(reply)}.`)
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
