/** A user of the service. It owns links, receives shares of payments, or both. */
export interface Account {
  /** The `user_id` of links and webhooks. */
  readonly id: string
  readonly name: string
  /** Production rejects development keys, and the sandbox rejects production keys. */
  readonly environment: 'development' | 'production'
  readonly apiKey: string
  readonly recipientToken: string
  /**
   * Where webhooks of links without their own target are sent. Empty if there is no such address. A path is an address of the
   * sandbox itself.
   */
  readonly paymentEndpoint: string
  readonly callbackUrls: readonly string[]
  readonly webhookUrls: readonly string[]
  readonly billing: Billing
  /** Whether the account's links offer bank transfer. */
  readonly bankTransfer: boolean
  /** A percentage as text, in the format of links: `1.0`. */
  readonly serviceFee: string
}

/** The address on the account's tax invoices. */
export interface Billing {
  readonly company: string
  readonly name: string
  readonly street: string
  readonly houseNo: string
  readonly zipcode: string
  readonly city: string
  readonly country: string
  /** True for reverse charge: the invoices contain no VAT, because the customer owes it. */
  readonly reverseCharge: boolean
}

/** The address of accounts for which none was set. */
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
