/** A user of the service. It owns links, receives shares of payments, or both. */
export interface Account {
  /** The `user_id` of links and webhooks. */
  readonly id: string
  readonly name: string
  /** The sandbox rejects production keys, and production rejects development keys. */
  readonly environment: 'development' | 'production'
  readonly apiKey: string
  readonly recipientToken: string
  /**
   * The target of webhooks for links without a target of their own. Empty if there is none. A path is an address of the sandbox
   * itself.
   */
  readonly paymentEndpoint: string
  readonly callbackUrls: readonly string[]
  readonly webhookUrls: readonly string[]
  readonly billing: Billing
  /** Whether the account's links offer bank transfer. */
  readonly bankTransfer: boolean
  /** Percent, as text in the format of links: `1.0`. */
  readonly serviceFee: string
}

/** The address on tax invoices. */
export interface Billing {
  readonly company: string
  readonly name: string
  readonly street: string
  readonly houseNo: string
  readonly zipcode: string
  readonly city: string
  readonly country: string
  /** True for reverse charge: invoices contain no VAT, and the customer owes it. */
  readonly reverseCharge: boolean
}

/** The default address of accounts without one. */
export const EMPTY_BILLING: Billing = {
  company: '',
  name: '',
  street: '',
  houseNo: '',
  zipcode: '',
  city: '',
  country: '',
  reverseCharge: false,
}
