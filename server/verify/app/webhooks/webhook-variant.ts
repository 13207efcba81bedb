import type { WrongAmount } from './wrong-amounts.ts'

export type Encoding = 'form' | 'json'

/** How a webhook of a case differs from a plain `Success` for the order of the case. */
export interface WebhookVariant {
  /** By default the encoding that the receiver accepts. */
  readonly encoding?: Encoding
  readonly brackets?: 'literal'
  readonly charset?: 'utf-8'
  readonly amount?: 'two-decimals' | 'no-number' | 'empty' | WrongAmount
  readonly payId?: 'unknown' | 'empty'
  /** `similar` looks like the note of the order. `pattern` fits every note, if a database takes it for a pattern, and `wildcard` only the note of the order. */
  readonly note?: 'unknown' | 'similar' | 'pattern' | 'wildcard'
  /** `operator` replaces the text by a condition of a database: `data[user_id][$ne]`. */
  readonly user?: 'forged' | 'empty' | 'operator' | { readonly accountId: string }
  readonly status?: string
  readonly extraFields?: true
  readonly omit?: 'pay_id' | 'note' | 'amount' | 'user_id' | 'status'
  readonly body?: string
  /** True to send the fields in the query of the address, with an empty body. */
  readonly isInQuery?: true
  readonly slowMs?: number
  readonly copies?: number
  /** Sends the webhook to the receiver instead of to the targets of the order's link. */
  readonly to?: 'receiver'
  /**
   * True to send the webhook to one target after another, the last one first. By default, all targets get it at the same moment.
   */
  readonly oneByOne?: true
}

/** `accepted` requires a 2xx response. `tolerated` allows any response except a server error. */
export type ExpectedAnswer = 'accepted' | 'tolerated'

/**
 * The state of the order at the end of a case. With `paid-once`, another webhook must not fulfill the order again. With
 * `unchanged`, the state must be the same as after the refund.
 */
export type FinalOrder = 'paid' | 'paid-once' | 'unpaid' | 'unchanged'
