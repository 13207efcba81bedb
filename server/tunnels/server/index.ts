import { Hono, type Context } from 'hono'
import { setTimeout as pause } from 'node:timers/promises'
import { DELIVERY_HEADER, type Delivery } from '../../domain/webhooks/delivery.ts'
import { noSubject } from '../../domain/links/subject.ts'
import { encodeBody, textBody, type Headers } from '../../domain/http/exchange.ts'
import { forwardedResponseHeaders, readHops, MAX_HOPS } from '../../domain/http/proxy-headers.ts'
import { applyMaps } from '../../domain/network/origin-map.ts'
import { roundMs } from '../../domain/time/time.ts'
import { TUNNEL_NAME_PATTERN, type TunnelAnswer } from '../../domain/network/tunnel.ts'
import type { NodeEnv } from '../../http/node-env.ts'
import type { ResolveOwnPath } from '../../domain/network/urls.ts'
import { rawHeaders } from '../../http/raw-headers.ts'
import { readBody } from '../../http/read-body.ts'
import { requestTarget } from '../../http/request-target.ts'
import { recordAnswer } from '../../operations/tunnels/record-answer.ts'
import { captureRequest, type TunnelCapture } from '../../operations/tunnels/capture-request.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import type { CallerOutcome } from './waiting-callers.ts'
import type { Connection } from './connection.ts'
import type { Listeners } from './listeners.ts'
import { writeAnswer } from './write-answer.ts'

const TOO_LARGE = 'The sandbox captures at most 1 MiB\n'
const LOOP_DETECTED =
  'This request went through two listeners before and comes to a tunnel again: they post to each other, or one to itself. Give `paylink-sandbox listen` the address of your app with --forward-to, not that of a tunnel.\n'
const INVALID_NAME = 'A tunnel has a name of small letters, digits and dashes: /tunnel/<name>\n'
const DISCARDED =
  'The sandbox forgot this request before a listener had it: the sandbox or its account was reset, what the tunnel captured was deleted, or it gave way to newer ones. Send it again.\n'
const PLAIN_TEXT: Headers = [['content-type', 'text/plain; charset=utf-8']]

/** What was captured, and since when its caller waits, by the process's own clock. */
interface WaitingRequest extends TunnelCapture {
  readonly since: number
}

/**
 * Named addresses that take whatever reaches them. A listener's answer is passed on; where there is none, they answer
 * as they were told to, so that nobody needs a receiver to see a webhook.
 */
export function tunnel(store: Store, ownPath: ResolveOwnPath, listeners: Listeners) {
  const app = new Hono<NodeEnv>()

  app.all('*', async (c) => {
    const since = performance.now()
    const resolved = requestTarget(c).target
    const name = tunnelNameIn(resolved)
    // As it was asked for, unless its dots lead to another tunnel.
    const { url: written = '' } = c.env.incoming
    const target = written.startsWith('/tunnel/') && tunnelNameIn(written) === name ? written : resolved
    // Paths are matched decoded, but stored and forwarded as they were written.
    if (!target.startsWith('/tunnel/') || !TUNNEL_NAME_PATTERN.test(name)) return c.text(INVALID_NAME, 404)

    const { bytes, tooLarge } = await readBody(c)
    const request = { method: c.req.method, url: c.req.url, headers: rawHeaders(c), body: encodeBody(bytes) }
    const refused = tooLarge
      ? ({ status: 413, text: TOO_LARGE } as const)
      : readHops(request.headers) > MAX_HOPS && ({ status: 508, text: LOOP_DETECTED } as const)
    if (refused) {
      const { status, text } = refused
      const response = { status, headers: PLAIN_TEXT, body: textBody(text) }
      const { method } = request
      const about = { ...noSubject, tunnel: name, capturedDeliveryId: null, method, path: target }
      const event = { type: 'tunnel.captured', ...about, status, size: bytes.length } as const
      await store.transact((work) => work.record(event, { request, response }))
      return c.text(text, status)
    }

    const { taken, outcome } = await store.transact(async (work) => {
      const underway = await findUnderway(work, c.req.header(DELIVERY_HEADER))
      const goesTo =
        underway && (applyMaps(underway.target, await egressRules.maps(work.db))?.to ?? underway.target)
      const carried = goesTo !== undefined && ownPath(goesTo) === target ? underway : undefined
      const asked = listeners.at(name)
      const connected = asked.map((one) => one.connected)
      const kept = await captureRequest(
        work,
        { tunnel: name, path: target, request, delivery: carried },
        connected,
      )
      // From here on, as it may be sent before this returns.
      const first = asked.length === 0 ? undefined : listeners.wait(kept.epoch, kept.seq, asked)
      return { taken: kept, outcome: first }
    })
    if (outcome === undefined) return answerBySandbox(c, taken.answer)
    for (const connection of listeners.at(name)) connection.ring()
    return answerCaller(c, { ...taken, since }, await outcome)
  })

  async function answerCaller(
    c: Context<NodeEnv>,
    taken: WaitingRequest,
    outcome: CallerOutcome,
  ): Promise<Response> {
    switch (outcome.by) {
      case 'listener': {
        const { status, bytes } = outcome
        const headers = forwardedResponseHeaders(outcome.headers, status, c.req.method, bytes.length)
        return writeAnswer(c, { status, headers, bytes })
      }
      case 'sandbox':
        await recordOwnAnswer(taken, taken.answer, 'its listener went away')
        return answerBySandbox(c, taken.answer)
      case 'failure':
        return answerError(c, taken, 502, failureText(outcome.why), outcome.why)
      case 'forgotten':
        return c.text(DISCARDED, 503)
      case 'nobody':
        return answerError(c, taken, 504, timeoutText(outcome.who), 'no listener answered in time')
    }
  }

  async function answerError(
    c: Context<NodeEnv>,
    taken: WaitingRequest,
    status: 502 | 504,
    text: string,
    error: string,
  ): Promise<Response> {
    await recordOwnAnswer(taken, { status, headers: PLAIN_TEXT, body: text, delayMs: 0 }, error)
    return c.text(text, status)
  }

  /** The sandbox itself answers what a listener was asked. */
  const recordOwnAnswer = (
    { epoch, seq, since }: WaitingRequest,
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
          ms: roundMs(performance.now() - since + delayMs),
          possibleDuplicate: false,
        },
        ({ request }) => ({ request, response: { status, headers, body: textBody(body) } }),
      ),
    )

  return app
}

async function answerBySandbox(c: Context<NodeEnv>, answer: TunnelAnswer): Promise<Response> {
  const { status, headers, body, delayMs } = answer
  if (delayMs > 0) await pause(delayMs, undefined, { ref: false })
  const bytes = Buffer.from(body)
  return writeAnswer(c, {
    status,
    headers: forwardedResponseHeaders(headers, status, c.req.method, bytes.length),
    bytes,
  })
}

const failureText = (why: string): string =>
  `Nobody answered at the listener's end: ${why}.\nStart your app there, or give \`paylink-sandbox listen\` another address with --forward-to. This request is not tried again.\n`

const timeoutText = (who: readonly Connection[]): string =>
  `${who.map(({ connected: { id, to } }) => `Listener ${id} has this request, and ${to} has not answered in time.`).join('\n')}
It stays with the listener until it was posted, so it need not be sent again.\n`

const tunnelNameIn = (target: string): string => target.split(/[/?]/)[2] ?? ''

/** The delivery of that id, if it is underway. Anybody can send the header, so it proves nothing alone. */
async function findUnderway({ db }: UnitOfWork, id: string | undefined): Promise<Delivery | undefined> {
  const delivery = /^\d{1,15}$/.test(id ?? '') ? await deliveries.find(db, Number(id)) : undefined
  return delivery?.state === 'underway' ? delivery : undefined
}
