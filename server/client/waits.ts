import { findHeader } from '../domain/http/exchange.ts'
import type { EventView } from '../contract/views.ts'
import type { DeliveryCause, ShownDeliveryState } from '../domain/webhooks/delivery-values.ts'
import type { EventOf, EventType } from '../domain/events/event.ts'
import type { Exchange } from '../domain/http/exchange.ts'
import { omitUndefined } from '../domain/text/omit-undefined.ts'
import type { PaymentOutcome, StatusText } from '../domain/webhooks/webhook.ts'
import { throwWaitError } from './explain-wait.ts'
import { linkKeys, type LinkRef } from './link-ref.ts'
import { DEFAULT_TIMEOUT_MS } from './default-timeout.ts'
import { readPayload, type Payload } from './payload.ts'
import type { Request } from './request.ts'

export interface WaitOptions {
  /** The timeout in milliseconds: 4000 by default, at most 60000. */
  readonly timeoutMs?: number
  /** Only events with a larger `seq`. By default every event in the journal counts. */
  readonly after?: number
}

export interface CountOptions extends WaitOptions {
  /** How many matching events to wait for. */
  readonly count: number
}

/** A part of an object: some of its keys, and some keys of its nested objects. Lists must be complete. */
type Part<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: Part<Value[Key]> }
    : Value

/** Matches events of a type. Every key that is passed must be equal, even in nested objects. */
export type EventMatch<Type extends EventType> = { readonly type: Type } & Part<EventOf<Type, EventView>>

/** Matches attempts to send webhooks. Every field that is passed must be equal. */
export interface WebhookMatch {
  readonly link?: LinkRef
  readonly payId?: number
  /** Upper and lower case are not distinguished, because the behavior `statusText` decides the spelling. */
  readonly status?: PaymentOutcome
  readonly target?: string
  /** The HTTP status of the receiver's response. `null` if there was none. */
  readonly httpStatus?: number | null
  readonly state?: ShownDeliveryState
  /** The tunnel that stored the webhook because no listener was connected. */
  readonly storedIn?: string
  readonly attempt?: number
  readonly deliveryId?: number
  readonly cause?: DeliveryCause
}

/** Matches redirects to the shop. Every field that is passed must be equal. */
export interface RedirectMatch {
  readonly link?: LinkRef
  readonly payId?: number
  /** Upper and lower case are not distinguished, because the behavior `statusText` decides the spelling. */
  readonly status?: PaymentOutcome
  readonly location?: string
}

/** An attempt to send a webhook, with its bytes. */
export interface Webhook {
  readonly seq: number
  readonly at: string
  readonly deliveryId: number
  readonly attempt: number
  readonly linkId: number | null
  readonly payId: number | null
  readonly status: StatusText
  readonly target: string
  readonly httpStatus: number | null
  /** Why there is no response. `null` if there is one. */
  readonly error: string | null
  readonly state: ShownDeliveryState
  /** The tunnel that stored the webhook because no listener was connected. Missing if a receiver responded. */
  readonly storedIn?: string
  readonly contentType: string
  readonly body: string
  /** The decoded body of a form or JSON. `undefined` for any other body. */
  readonly payload: Payload | undefined
  readonly exchange: Exchange | null
}

/** A redirect of the customer's browser to the shop. */
export interface Redirect {
  readonly seq: number
  readonly at: string
  readonly linkId: number | null
  readonly payId: number | null
  readonly status: StatusText
  readonly location: string
  /** The query parameters of `location`. */
  readonly params: Readonly<Record<string, string>>
}

/**
 * The number of webhooks, in total and by state. `pending` webhooks wait for another attempt. `stored` webhooks also count as
 * `delivered`: tunnels store them, because no listener has fetched them.
 */
export type Settled = Readonly<
  Record<'deliveries' | 'delivered' | 'stored' | 'failed' | 'held' | 'pending', number>
>

/**
 * Waits for events. A wait resolves at once if the event has already happened. On timeout, it throws `WaitError`, whose message
 * lists the events that match best.
 */
export interface Waits {
  /** Waits for an event that matches, or for `count` events. */
  waitFor<Type extends EventType>(
    match: EventMatch<Type>,
    options?: WaitOptions,
  ): Promise<EventOf<Type, EventView>>
  waitFor<Type extends EventType>(
    match: EventMatch<Type>,
    options: CountOptions,
  ): Promise<EventOf<Type, EventView>[]>
  /** Waits for an attempt that matches, or for `count` attempts. */
  waitForWebhook(match?: WebhookMatch, options?: WaitOptions): Promise<Webhook>
  waitForWebhook(match: WebhookMatch, options: CountOptions): Promise<Webhook[]>
  /** Waits for a redirect that matches, or for `count` redirects. */
  waitForRedirect(match?: RedirectMatch, options?: WaitOptions): Promise<Redirect>
  waitForRedirect(match: RedirectMatch, options: CountOptions): Promise<Redirect[]>
  /** Waits until no webhook is due or underway. Throws `WaitError` if a webhook that matches has been sent. */
  expectNoWebhook(match?: WebhookMatch, options?: WaitOptions): Promise<void>
  /** Waits until no webhook is due or underway. Returns how many there are in each state. */
  settled(options?: Pick<WaitOptions, 'timeoutMs'>): Promise<Settled>
}

type AttemptEvent = EventOf<'delivery.attempted', EventView>
type RedirectEvent = EventOf<'redirect.sent', EventView>

/** The waits of an account, or of the whole sandbox. @internal */
export function createWaits(request: Request, account: string | undefined): Waits {
  const scope = account === undefined ? {} : { account }

  async function events(match: object, options: WaitOptions & { count?: number }) {
    assertNoUndefined(match)
    const json = { ...scope, match: match as Record<string, unknown>, ...withTimeout(options) }
    const response = request('POST /events/wait', { json })
    return (await response.catch(throwWaitError)).events
  }

  async function webhook(event: AttemptEvent): Promise<Webhook> {
    const { exchange } = await request('GET /events/:seq', { param: { seq: event.seq } })
    return toWebhook(event, exchange)
  }

  /** Returns a single result if `count` is left out, otherwise a list. */
  async function answer<From extends EventView, To>(
    match: object,
    options: WaitOptions & { count?: number },
    show: (event: From) => To | Promise<To>,
  ): Promise<To | To[]> {
    const matches = (await events(match, options)) as From[]
    const shown = await Promise.all(matches.map(show))
    return options.count === undefined ? shown[0]! : shown
  }

  return {
    waitFor: (async (match: object, options: WaitOptions = {}) =>
      answer(match, options, (event) => event)) as Waits['waitFor'],
    waitForWebhook: (async (match: WebhookMatch = {}, options: WaitOptions = {}) =>
      answer<AttemptEvent, Webhook>(
        toEventMatch('delivery.attempted', match),
        options,
        webhook,
      )) as Waits['waitForWebhook'],
    waitForRedirect: (async (match: RedirectMatch = {}, options: WaitOptions = {}) =>
      answer<RedirectEvent, Redirect>(
        toEventMatch('redirect.sent', match),
        options,
        toRedirect,
      )) as Waits['waitForRedirect'],
    async expectNoWebhook(match = {}, options = {}) {
      const json = { ...scope, match: toEventMatch('delivery.attempted', match), ...withTimeout(options) }
      await request('POST /events/expect-none', { json }).catch(throwWaitError)
    },
    async settled(options = {}) {
      const json = { ...scope, ...withTimeout(options) }
      return request('POST /settle', { json }).catch(throwWaitError)
    },
  }
}

const withTimeout = <Options extends WaitOptions>(options: Options): Options => ({
  ...options,
  timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
})

function toEventMatch(type: EventType, given: { readonly link?: LinkRef }) {
  assertNoUndefined(given)
  const { link, ...match } = given
  return { type, ...(link === undefined ? {} : linkKeys(link)), ...match }
}

/** JSON leaves out keys whose value is undefined, so such a match would accept every value. */
function assertNoUndefined(match: object): void {
  const key = Object.entries(match).find(([, value]) => value === undefined)?.[0]
  if (key === undefined) return
  throw new TypeError(
    `${key} of the match is undefined, so every value would match. Leave it out, or give a value.`,
  )
}

function toWebhook(event: AttemptEvent, exchange: Exchange | null): Webhook {
  const { seq, at, deliveryId, attempt, linkId, payId, status, target, httpStatus, error, state } = event
  const contentType = findHeader(exchange?.request.headers ?? [], 'content-type') ?? ''
  const body = exchange?.request.body.content ?? ''
  const payload = readPayload(contentType, body)
  const fields = { seq, at, deliveryId, attempt, linkId, payId, status, target, httpStatus, error, state }
  const { storedIn } = event
  return { ...fields, ...omitUndefined({ storedIn }), contentType, body, payload, exchange }
}

function toRedirect({ seq, at, linkId, payId, status, location }: RedirectEvent): Redirect {
  const params = Object.fromEntries(new URL(location, 'http://localhost').searchParams)
  return { seq, at, linkId, payId, status, location, params }
}
