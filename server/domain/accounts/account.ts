/** One party of the service: the owner of links, the recipient of shares, or both. */
export interface Account {
  /** The `user_id` of links and webhooks. */
  readonly id: string
  readonly name: string
  /** A production key is rejected here, as a development key is there. */
  readonly environment: 'development' | 'production'
  readonly apiKey: string
  readonly recipientToken: string
  /** Where webhooks go when a link names no target of its own. Empty for none. A path is on the sandbox itself. */
  readonly paymentEndpoint: string
  readonly callbackUrls: readonly string[]
  readonly webhookUrls: readonly string[]
  readonly billing: Billing
  /** Whether the account's links offer bank transfer. */
  readonly bankTransfer: boolean
  /** Percent, as the text that links carry: `1.0`. */
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
  /** Invoices carry no VAT, the customer owes it. */
  readonly reverseCharge: boolean
}

/** The address of an account that has given none. */
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
