import { formatMebibytes } from '../../domain/http/limits.ts'
import { Hono, type Context } from 'hono'
import { setTimeout as pause } from 'node:timers/promises'
import { DELIVERY_HEADER, STORED_HEADER, type Delivery } from '../../domain/webhooks/delivery.ts'
import { noSubject } from '../../domain/links/subject.ts'
import { encodeBody, textBody, type Headers } from '../../domain/http/exchange.ts'
import { forwardedResponseHeaders, readHops, MAX_HOPS } from '../../domain/http/proxy-headers.ts'
import { applyMaps } from '../../domain/network/origin-map.ts'
import { roundMs } from '../../domain/time/berlin-time.ts'
import { MAX_TUNNEL_BODY_BYTES, TUNNEL_NAME_PATTERN, type TunnelAnswer } from '../../domain/network/tunnel.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import type { ResolveOwnPath } from '../../domain/network/urls.ts'
import { rawHeaders, readBody, requestTarget } from '../../platform/http/read-request.ts'
import { writeForeignAnswer } from '../../platform/http/foreign-answer.ts'
import { recordAnswer } from '../operations/tunnels/record-answer.ts'
import { captureRequest, type TunnelCapture } from '../operations/tunnels/capture-request.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import type { CallerOutcome } from './waiting-callers.ts'
import type { ListenerConnection } from './connection.ts'
import type { ListenerRegistry } from './listener-registry.ts'

const TOO_LARGE = `The sandbox captures at most ${formatMebibytes(MAX_TUNNEL_BODY_BYTES)}.\n`
const LOOP_DETECTED =
  'This request went through two listeners before it came to a tunnel again. They forward to each other, or one to itself. Pass `npx paylink-sandbox listen` the address of your app with --forward-to, not that of a tunnel.\n'
const INVALID_NAME = 'The name of a tunnel has lowercase letters, digits and dashes only: /tunnel/<name>\n'
const REMOVED =
  'The sandbox removed this request before a listener got it: by a reset, because the tunnel was cleared, or in favor of newer requests. Send it again.\n'
const PLAIN_TEXT: Headers = [['content-type', 'text/plain; charset=utf-8']]

/** A captured request, and its time of arrival according to `performance.now()`. */
interface WaitingRequest extends TunnelCapture {
  readonly arrivedAt: number
}

/**
 * Captures every request to a tunnel. The caller gets the first response of a listener. If no listener is connected, the tunnel
 * gives its configured response. The unit of work that captures a request also makes it pending for every known listener.
 * `connection.ts` sends it, `waiting-callers.ts` waits for the response, and `message-reader.ts` records the response of each
 * listener.
 */
export function tunnelEntryPoint(store: Store, ownPath: ResolveOwnPath, listeners: ListenerRegistry) {
  const app = new Hono<NodeEnv>()

  app.all('*', async (c) => {
    const arrivedAt = performance.now()
    const resolved = requestTarget(c).target
    const name = tunnelNameIn(resolved)
    // The path as the caller wrote it, unless its dots lead to a different tunnel.
    const { url: written = '' } = c.env.incoming
    const target = written.startsWith('/tunnel/') && tunnelNameIn(written) === name ? written : resolved
    // The router compares decoded paths, so the original path may start differently.
    if (!target.startsWith('/tunnel/') || !TUNNEL_NAME_PATTERN.test(name)) return c.text(INVALID_NAME, 404)

    const { bytes, tooLarge } = await readBody(c, MAX_TUNNEL_BODY_BYTES)
    const request = { method: c.req.method, url: c.req.url, headers: rawHeaders(c), body: encodeBody(bytes) }
    const rejected = tooLarge
      ? ({ status: 413, text: TOO_LARGE } as const)
      : readHops(request.headers) > MAX_HOPS && ({ status: 508, text: LOOP_DETECTED } as const)
    if (rejected) {
      const { status, text } = rejected
      const response = { status, headers: PLAIN_TEXT, body: textBody(text) }
      const { method } = request
      const fields = { ...noSubject, tunnel: name, capturedDeliveryId: null, method, path: target }
      const event = { type: 'tunnel.captured', ...fields, status, size: bytes.length } as const
      await store.transact((work) => work.record(event, { request, response }))
      return c.text(text, status)
    }

    const { captured, outcome } = await store.transact(async (work) => {
      const delivery = await findOwnDelivery(work, c.req.header(DELIVERY_HEADER), target)
      const connections = listeners.at(name)
      const stored = await captureRequest(
        work,
        { tunnel: name, path: target, request, delivery },
        connections.map(({ connected }) => connected),
      )
      // Starts to wait at once, because a listener may respond before this function returns.
      const answer =
        connections.length === 0 ? undefined : listeners.wait(stored.epoch, stored.seq, connections)
      return { captured: stored, outcome: answer }
    })
    if (outcome === undefined) return answerBySandbox(c, captured)
    for (const connection of listeners.at(name)) connection.notify()
    return answerCaller(c, { ...captured, arrivedAt }, await outcome)
  })

  /**
   * Returns the delivery with this id, if it is underway to this address. The header alone proves nothing, because anyone can
   * send it.
   */
  async function findOwnDelivery(
    { db }: UnitOfWork,
    id: string | undefined,
    target: string,
  ): Promise<Delivery | undefined> {
    const delivery = /^\d{1,15}$/.test(id ?? '') ? await deliveries.find(db, Number(id)) : undefined
    if (delivery?.state !== 'underway') return undefined
    const sentTo = applyMaps(delivery.target, await egressRules.maps(db))?.to ?? delivery.target
    return ownPath(sentTo) === target ? delivery : undefined
  }

  async function answerCaller(
    c: Context<NodeEnv>,
    captured: WaitingRequest,
    outcome: CallerOutcome,
  ): Promise<Response> {
    switch (outcome.by) {
      case 'listener': {
        const { status, bytes } = outcome
        const headers = responseHeaders(outcome.headers, status, c, bytes)
        return writeForeignAnswer(c, { status, headers, bytes })
      }
      case 'tunnel':
        await recordOwnAnswer(captured, captured.answer, 'its listener disconnected')
        return answerBySandbox(c, captured)
      case 'failure':
        return answerError(c, captured, 502, failureText(outcome.error), outcome.error)
      case 'removal':
        return c.text(REMOVED, 503)
      case 'timeout':
        return answerError(c, captured, 504, timeoutText(outcome.connections), 'no listener answered in time')
    }
  }

  async function answerError(
    c: Context<NodeEnv>,
    captured: WaitingRequest,
    status: 502 | 504,
    text: string,
    error: string,
  ): Promise<Response> {
    await recordOwnAnswer(captured, { status, headers: PLAIN_TEXT, body: text, delayMs: 0 }, error)
    return c.text(text, status)
  }

  /** Records that the sandbox itself has answered a request that was sent to listeners. */
  const recordOwnAnswer = (
    { epoch, seq, arrivedAt }: WaitingRequest,
    { status, headers, body, delayMs }: TunnelAnswer,
    error: string,
  ): Promise<void> =>
    store.transact((work) =>
      recordAnswer(
        work,
        {
          epoch,
          seq,
          listener: null,
          first: true,
          status,
          error,
          ms: roundMs(performance.now() - arrivedAt + delayMs),
          possibleDuplicate: false,
        },
        ({ request }) => ({ request, response: { status, headers, body: textBody(body) } }),
      ),
    )

  return app
}

/**
 * Responds if no listener is connected. A header tells the dispatcher that no app has responded. Other callers do not get this
 * header.
 */
async function answerBySandbox(c: Context<NodeEnv>, { event, answer }: TunnelCapture): Promise<Response> {
  const { status, headers, body, delayMs } = answer
  if (delayMs > 0) await pause(delayMs, undefined, { ref: false })
  const bytes = Buffer.from(body)
  return writeForeignAnswer(c, {
    status,
    headers: [
      ...responseHeaders(headers, status, c, bytes),
      ...(event.capturedDeliveryId === null ? [] : [[STORED_HEADER, event.tunnel] as const]),
    ],
    bytes,
  })
}

/** Removes the header that says that a tunnel has stored a webhook. Neither an app nor a configured response may send it. */
const responseHeaders = (headers: Headers, status: number, c: Context, bytes: Uint8Array): Headers =>
  forwardedResponseHeaders(headers, status, c.req.method, bytes.length).filter(
    ([name]) => name.toLowerCase() !== STORED_HEADER,
  )

const failureText = (error: string): string =>
  `The listener got no answer: ${error}.\nStart your app, or pass \`npx paylink-sandbox listen\` another address with --forward-to. The sandbox does not send this request again.\n`

const timeoutText = (connections: readonly ListenerConnection[]): string =>
  `${connections.map(({ connected: { id, to } }) => `Listener ${id} has this request, and ${to} did not answer in time.`).join('\n')}
The listener keeps the request until it is forwarded, so do not send it again.\n`

const tunnelNameIn = (target: string): string => target.split(/[/?]/)[2] ?? ''
