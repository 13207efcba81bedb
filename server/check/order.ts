/** An order whose payment is tried, by its payment link. */
export interface CheckedOrder {
  readonly id: number
  readonly payId: number
  readonly linkId: string
  readonly accountId: string
  /** In euros. */
  readonly amount: number
  readonly note: string
  /** Empty where the link names none. */
  readonly callbackUrl: string
  /** Where a map leads in place of that. */
  readonly callbackMappedTo?: string | undefined
  /** As it was named. Empty where the link names none. */
  readonly paymentEndpoint: string
  readonly targets: readonly { readonly url: string }[]
}

/** Whether an order is paid, and how often it was fulfilled, where that is known. */
export interface OrderState {
  readonly paid: boolean
  readonly times?: number | undefined
}
