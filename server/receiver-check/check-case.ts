export type Encoding = 'form' | 'json'

/** What one webhook of a case is like, as far as it is not a plain `Success` for the case's order. */
export interface WebhookVariant {
  /** Left out where it goes as the receiver takes good ones. */
  readonly encoding?: Encoding
  readonly brackets?: 'literal'
  readonly charset?: 'utf-8'
  readonly amount?: 'two-decimals' | 'forged'
  readonly payId?: 'unknown'
  readonly note?: 'unknown'
  readonly user?: 'forged'
  readonly status?: string
  readonly extraFields?: true
  readonly omit?: 'pay_id' | 'amount' | 'status'
  /** Sent as it is, in the place of everything. */
  readonly body?: string
  readonly slowMs?: number
  /** How many go out at once. */
  readonly copies?: number
  /** To the receiver, whatever targets the order's link names. */
  readonly to?: 'receiver'
}

export type Step =
  | { readonly send: WebhookVariant }
  /** The customer comes back to the shop with a status. */
  | { readonly browser: 'Success' }
  /** Goes on once the order is paid, where that can be told. */
  | { readonly until: 'paid' }

/** One thing that a receiver has to stand. */
export interface CheckCase {
  readonly name: string
  readonly group: string
  /** What is sent. */
  readonly title: string
  /** Why it matters. */
  readonly why: string
  /** What the order is like, where the battery makes it. */
  readonly wantedOrder?: { readonly amount?: number; readonly note?: string }
  readonly steps: readonly Step[]
  /** `accepted` wants a 2xx; `survived` takes any answer but a failure of the server. */
  readonly answer: 'accepted' | 'tolerated'
  /**
   * How the order is left: `paid`, `once` where a further webhook may not count again, `unpaid`. Left out where that
   * says nothing.
   */
  readonly finalOrder?: 'paid' | 'paid-once' | 'unpaid'
  /** Whoever passes takes good webhooks so. */
  readonly provesEncoding?: Encoding
  /** The account's links have a `pay_id` that is not their `id`. */
  readonly payIds?: 'distinct'
}
