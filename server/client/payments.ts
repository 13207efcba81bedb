import type { DeliveryView, EventView, InvoiceView, LinkView, RefundView } from '../contract/views.ts'
import type { EventType } from '../domain/events/event.ts'
import type { Forgery } from '../domain/faults/forgery.ts'
import type { Exchange } from '../domain/http/exchange.ts'
import type { LinkStatus, PaymentMethod } from '../domain/links/link.ts'
import { describeValue } from './option-value.ts'
import { linkName, type LinkRef } from './link-ref.ts'
import type { Request } from './request.ts'

/** The result of a payment or a cancellation. */
export interface Outcome {
  readonly link: LinkView
  /**
   * The redirect of the browser. `null` if the browser was closed, or if the link has no `callback_url`. `mappedFrom` is the
   * original address if a map replaced it.
   */
  readonly redirect: { readonly location: string; readonly mappedFrom?: string } | null
  /** The webhooks of the payment. */
  readonly deliveries: readonly DeliveryView[]
}

interface OutcomeOptions {
  /**
   * When the method resolves: when every webhook has settled (`settled`, the default), or when every webhook is queued
   * (`accepted`).
   */
  readonly wait?: 'settled' | 'accepted'
}

export interface BrowserOptions extends OutcomeOptions {
  /** Whether the customer's browser returns to the shop (the default) or is closed before the redirect. */
  readonly browser?: 'returns' | 'closes'
}

export interface PayOptions extends BrowserOptions {
  /** `card` by default. */
  readonly method?: PaymentMethod
}

/** How a webhook is sent again. By default, the same bytes go to the same target. */
export interface ReplayOptions extends OutcomeOptions {
  /** The URL to send it to. */
  readonly to?: string
  readonly body?: string
}

/** What a forged webhook contains. */
export interface ForgeOptions extends OutcomeOptions {
  /** The wrong part of the webhook: `amount` by default. `old` sends an earlier webhook again, unchanged. */
  readonly forgery?: Forgery
  /** The status in the webhook. `Success` by default. */
  readonly status?: 'Success' | 'cancel'
}

export interface LinkFilter {
  readonly status?: LinkStatus
  /** Only links with a smaller id. */
  readonly before?: number
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

export interface EventFilter {
  readonly type?: EventType | readonly EventType[]
  readonly link?: LinkRef
  /** Only events with a larger `seq`. */
  readonly after?: number
  /** Only events with a smaller `seq`. */
  readonly before?: number
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

export interface DeliveryFilter {
  readonly link?: { readonly id: number } | number
  readonly state?: DeliveryView['state']
  /** If `true`, only deliveries that are stored in a tunnel because no listener has fetched them. */
  readonly stored?: boolean
  /** Only deliveries with a smaller id. */
  readonly before?: number
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

export interface RefundFilter {
  /** Only refunds of payments with a smaller `payId`. */
  readonly before?: number
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

export interface InvoiceFilter {
  /** Only invoices after the one with this `sfId`. */
  readonly after?: string
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

/** An event with its bytes. */
type EventDetails = EventView & { readonly exchange: Exchange | null }

type DeliveryRef = number | { readonly id: number } | { readonly deliveryId: number }

/**
 * What customers, operators and developers can do with payment links. Methods throw `SandboxError` if there is no such link
 * (404), or if its state does not allow the action (409).
 */
export interface Payments {
  /** Pays a link, as the customer does. A payment by bank transfer waits for `approveTransfer`. */
  pay(link: LinkRef, options?: PayOptions): Promise<Outcome>
  /** Cancels a payment, as the customer does. */
  cancel(link: LinkRef, options?: BrowserOptions): Promise<Outcome>
  /** Declines the card, as the bank does. The link can still be paid. */
  decline(link: LinkRef): Promise<LinkView>
  /** Confirms that a bank transfer has arrived. The link is then paid. */
  approveTransfer(link: LinkRef, options?: OutcomeOptions): Promise<Outcome>
  /** Rejects a bank transfer. The link can then be paid again. */
  rejectTransfer(link: LinkRef): Promise<LinkView>
  /** Deletes a link that was not paid. */
  deleteLink(link: LinkRef): Promise<LinkView>
  readonly refunds: {
    /** Requested refunds, newest payment first. */
    list(filter?: RefundFilter): Promise<readonly RefundView[]>
    approve(link: LinkRef): Promise<RefundView>
    reject(link: LinkRef): Promise<RefundView>
  }
  readonly dispute: {
    /** Opens a dispute, as the customer's bank does. */
    open(link: LinkRef): Promise<LinkView>
    /** Closes a dispute. The customer has `won` or `lost` it; `lost` is the default. */
    close(link: LinkRef, outcome?: 'won' | 'lost'): Promise<LinkView>
  }
  /** Sends a webhook again. */
  replay(delivery: DeliveryRef, options?: ReplayOptions): Promise<DeliveryView>
  /** Sends a forged webhook to the targets of a link. */
  forge(link: LinkRef, options?: ForgeOptions): Promise<readonly DeliveryView[]>
  /** Sends a held webhook once, even though its host is not allowed. */
  allow(delivery: DeliveryRef, options?: OutcomeOptions): Promise<DeliveryView>
  /** Sends all webhooks that are held for a host, once. Returns their number. */
  allowAll(host: string): Promise<number>
  link(link: LinkRef): Promise<LinkView>
  /** Links, newest first. */
  links(filter?: LinkFilter): Promise<readonly LinkView[]>
  delivery(delivery: DeliveryRef): Promise<DeliveryView>
  /** Webhooks with their attempts, newest first. */
  deliveries(filter?: DeliveryFilter): Promise<readonly DeliveryView[]>
  /** Events, oldest first: those after `after`, or the newest ones. */
  events(filter?: EventFilter): Promise<readonly EventView[]>
  /** An event with the bytes of its request and response. `exchange` is `null` if it has none. */
  event(seq: number): Promise<EventDetails>
  /** Tax invoices, newest month first. */
  invoices(filter?: InvoiceFilter): Promise<readonly InvoiceView[]>
}

const linkParam = (link: LinkRef) => ({ ref: linkName(link) })

const deliveryParam = (delivery: DeliveryRef) => ({ id: deliveryId(delivery) })

/** The payments of an account, or of the whole sandbox. @internal */
export function createPayments(request: Request, account: string | undefined): Payments {
  /** In the control API, a refund is identified by the pay_id of its payment. */
  async function reviewRefund(link: LinkRef, verdict: 'approve' | 'reject'): Promise<RefundView> {
    const { payId } = await request('GET /links/:ref', { param: linkParam(link) })
    return request(`POST /refunds/:payId/${verdict}`, { param: { payId } })
  }

  return {
    pay: async (link, options = {}) =>
      request('POST /links/:ref/pay', { param: linkParam(link), json: options }),
    cancel: async (link, options = {}) =>
      request('POST /links/:ref/cancel', { param: linkParam(link), json: options }),
    decline: async (link) => request('POST /links/:ref/decline', { param: linkParam(link) }),
    approveTransfer: async (link, options = {}) =>
      request('POST /links/:ref/approve-transfer', { param: linkParam(link), json: options }),
    rejectTransfer: async (link) => request('POST /links/:ref/reject-transfer', { param: linkParam(link) }),
    deleteLink: async (link) => request('DELETE /links/:ref', { param: linkParam(link) }),
    refunds: {
      list: async (filter = {}) => (await request('GET /refunds', { query: { account, ...filter } })).refunds,
      approve: async (link) => reviewRefund(link, 'approve'),
      reject: async (link) => reviewRefund(link, 'reject'),
    },
    dispute: {
      open: async (link) => request('PUT /links/:ref/dispute', { param: linkParam(link) }),
      close: async (link, outcome) =>
        request('DELETE /links/:ref/dispute', { param: linkParam(link), query: { outcome } }),
    },
    replay: async (delivery, options = {}) =>
      request('POST /deliveries/:id/replay', { param: deliveryParam(delivery), json: options }),
    forge: async (link, options = {}) =>
      (await request('POST /links/:ref/forged-webhook', { param: linkParam(link), json: options }))
        .deliveries,
    allow: async (delivery, options = {}) =>
      request('POST /deliveries/:id/allow', { param: deliveryParam(delivery), json: options }),
    allowAll: async (host) => (await request('POST /deliveries/allow', { json: { host, account } })).allowed,
    link: async (link) => request('GET /links/:ref', { param: linkParam(link) }),
    links: async (filter = {}) => (await request('GET /links', { query: { account, ...filter } })).links,
    delivery: async (delivery) => request('GET /deliveries/:id', { param: deliveryParam(delivery) }),
    async deliveries({ link, stored, ...filter } = {}) {
      const linkId = typeof link === 'object' ? link.id : link
      const query = { account, ...filter, link: linkId, ...(stored && { stored: 'true' as const }) }
      return (await request('GET /deliveries', { query })).deliveries
    },
    async events({ type, link, ...filter } = {}) {
      const query = {
        account,
        ...filter,
        type: typeof type === 'string' ? type : type?.join(','),
        link: link === undefined ? undefined : linkName(link),
      }
      return (await request('GET /events', { query })).events
    },
    event: async (seq) => request('GET /events/:seq', { param: { seq } }),
    invoices: async (filter = {}) =>
      (await request('GET /invoices', { query: { account, ...filter } })).invoices,
  }
}

function deliveryId(delivery: DeliveryRef): number {
  const id: unknown =
    typeof delivery !== 'object' || delivery === null
      ? delivery
      : 'deliveryId' in delivery
        ? delivery.deliveryId
        : delivery.id
  if (typeof id === 'number') return id
  throw new TypeError(
    `Pass a webhook as its id, or as an object with its id, for example an element of deliveries(), not as ${describeValue(delivery)}.`,
  )
}
