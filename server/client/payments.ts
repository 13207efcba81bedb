import type { DeliveryView, EventView, InvoiceView, LinkView, RefundView } from '../contract/views.ts'
import type { EventType } from '../domain/events/event.ts'
import type { Forgery } from '../domain/faults/forgery.ts'
import type { LinkStatus, PaymentMethod } from '../domain/links/link.ts'
import { describeValue } from './option-value.ts'
import { linkName, linkPath, type LinkRef } from './link-ref.ts'
import type { Request } from './request.ts'

/** What an outcome led to. */
export interface Outcome {
  readonly link: LinkView
  /**
   * Where the browser was sent, `null` where it was closed or the link names no `callback_url`. With `mappedFrom`, where
   * it was meant to go, where a map led it elsewhere.
   */
  readonly redirect: { readonly location: string; readonly mappedFrom?: string } | null
  /** The webhooks it caused. */
  readonly deliveries: readonly DeliveryView[]
}

export interface OutcomeOptions {
  /** Whether to resolve once every webhook has settled, the default, or as soon as they are queued. */
  readonly wait?: 'settled' | 'accepted'
}

export interface BrowserOptions extends OutcomeOptions {
  /** Whether the customer's browser goes back to the shop, the default, or is closed before. */
  readonly browser?: 'returns' | 'closes'
}

export interface PayOptions extends BrowserOptions {
  /** `card` by default. */
  readonly method?: PaymentMethod
}

/** Sends a webhook again: the same bytes to the same target, but for what is given. */
export interface ReplayOptions extends OutcomeOptions {
  readonly to?: string
  readonly body?: string
}

/** What a webhook says that the service never sent. */
export interface ForgeOptions extends OutcomeOptions {
  /** What is wrong with it, the `amount` by default. Of an `old` one nothing, but that it comes once more. */
  readonly wrong?: Forgery
  /** `Success` by default. */
  readonly says?: 'Success' | 'cancel'
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
  readonly after?: number
  readonly before?: number
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

export interface DeliveryFilter {
  readonly link?: { readonly id: number } | number
  readonly state?: DeliveryView['state']
  /** 100 by default, 1000 at most. */
  readonly limit?: number
}

type DeliveryRef = number | { readonly id: number } | { readonly deliveryId: number }

/** What customers, operators and developers do with payment links, and what became of them. */
export interface Payments {
  pay(link: LinkRef, options?: PayOptions): Promise<Outcome>
  cancel(link: LinkRef, options?: BrowserOptions): Promise<Outcome>
  /** Lets the bank decline the card. The link can still be paid. */
  decline(link: LinkRef): Promise<LinkView>
  approveTransfer(link: LinkRef, options?: OutcomeOptions): Promise<Outcome>
  rejectTransfer(link: LinkRef): Promise<LinkView>
  deleteLink(link: LinkRef): Promise<LinkView>
  readonly refunds: {
    list(): Promise<readonly RefundView[]>
    approve(link: LinkRef): Promise<RefundView>
    reject(link: LinkRef): Promise<RefundView>
  }
  readonly dispute: {
    open(link: LinkRef): Promise<LinkView>
    /** `won` or `lost` by the customer; `lost` by default. */
    close(link: LinkRef, outcome?: 'won' | 'lost'): Promise<LinkView>
  }
  replay(delivery: DeliveryRef, options?: ReplayOptions): Promise<DeliveryView>
  /** Sends the targets of a link what the service never said. */
  forge(link: LinkRef, options?: ForgeOptions): Promise<readonly DeliveryView[]>
  /** Lets out a webhook that is held. */
  release(delivery: DeliveryRef, options?: OutcomeOptions): Promise<DeliveryView>
  /** Lets out everything that is held for a host, once, and gives how many. */
  releaseAll(host: string): Promise<number>
  link(link: LinkRef): Promise<LinkView>
  /** Newest first. */
  links(filter?: LinkFilter): Promise<readonly LinkView[]>
  delivery(delivery: DeliveryRef): Promise<DeliveryView>
  /** Newest first. */
  deliveries(filter?: DeliveryFilter): Promise<readonly DeliveryView[]>
  /** In their order. With `after` those that follow, without it the newest. */
  events(filter?: EventFilter): Promise<readonly EventView[]>
  invoices(): Promise<readonly InvoiceView[]>
}

const linkUrl = (link: LinkRef, verb = ''): string => `/links/${linkPath(link)}${verb}`

/** The payments of one account, or of the whole sandbox. */
export function createPayments(request: Request, account: string | undefined): Payments {
  const read = <Answer>(path: string, query: Record<string, string | number | undefined> = {}) =>
    request<Answer>('GET', path, { query: { account, ...query } })

  /** The operator's desk goes by payment. */
  async function reviewRefund(link: LinkRef, verdict: 'approve' | 'reject'): Promise<RefundView> {
    const { payId } = await request<LinkView>('GET', linkUrl(link))
    return request('POST', `/refunds/${payId}/${verdict}`)
  }

  return {
    pay: async (link, options = {}) => request('POST', linkUrl(link, '/pay'), { body: options }),
    cancel: async (link, options = {}) => request('POST', linkUrl(link, '/cancel'), { body: options }),
    decline: async (link) => request('POST', linkUrl(link, '/decline')),
    approveTransfer: async (link, options = {}) =>
      request('POST', linkUrl(link, '/approve-transfer'), { body: options }),
    rejectTransfer: async (link) => request('POST', linkUrl(link, '/reject-transfer')),
    deleteLink: async (link) => request('DELETE', linkUrl(link)),
    refunds: {
      list: async () => (await read<{ refunds: RefundView[] }>('/refunds')).refunds,
      approve: async (link) => reviewRefund(link, 'approve'),
      reject: async (link) => reviewRefund(link, 'reject'),
    },
    dispute: {
      open: async (link) => request('PUT', linkUrl(link, '/dispute')),
      close: async (link, outcome) => request('DELETE', linkUrl(link, '/dispute'), { query: { outcome } }),
    },
    replay: async (delivery, options = {}) =>
      request('POST', `/deliveries/${deliveryId(delivery)}/replay`, { body: options }),
    forge: async (link, options = {}) =>
      (
        await request<{ deliveries: DeliveryView[] }>('POST', linkUrl(link, '/forged-webhook'), {
          body: options,
        })
      ).deliveries,
    release: async (delivery, options = {}) =>
      request('POST', `/deliveries/${deliveryId(delivery)}/release`, { body: options }),
    releaseAll: async (host) =>
      (await request<{ released: number }>('POST', '/deliveries/release', { body: { host, account } }))
        .released,
    link: async (link) => request('GET', linkUrl(link)),
    links: async (filter = {}) => (await read<{ links: LinkView[] }>('/links', { ...filter })).links,
    delivery: async (delivery) => request('GET', `/deliveries/${deliveryId(delivery)}`),
    async deliveries({ link, ...filter } = {}) {
      const linkId = typeof link === 'object' ? link.id : link
      const query = { ...filter, link: linkId }
      return (await read<{ deliveries: DeliveryView[] }>('/deliveries', query)).deliveries
    },
    async events({ type, link, ...filter } = {}) {
      const query = {
        ...filter,
        type: typeof type === 'string' ? type : type?.join(','),
        link: link === undefined ? undefined : linkName(link),
      }
      return (await read<{ events: EventView[] }>('/events', query)).events
    },
    invoices: async () => (await read<{ invoices: InvoiceView[] }>('/invoices')).invoices,
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
    `A webhook is named by its id, or by an object with it such as one of deliveries(), not by ${describeValue(delivery)}.`,
  )
}
