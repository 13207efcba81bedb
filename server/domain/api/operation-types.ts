// The bodies and responses of the v2 API, with the service's own names. The package exports these types, so they do not depend on
// zod. The schemas in `api/` validate requests. If schemas and types differ, a test does not compile.

interface CommonLinkBody {
  /** In euros, greater than 0, with at most two decimals. */
  readonly amount: number
  /** Shown to the customer, and sent as `note` in the webhook. */
  readonly recipient_note?: string | null | undefined
  /** A URL, or an index into the callback URLs of the account. */
  readonly callback_url?: string | null | undefined
  /** A comma-separated list of URLs and indexes into the webhook URLs of the account. */
  readonly payment_endpoint?: string | null | undefined
  readonly cancellable?: boolean | null | undefined
  readonly is_qr_link?: boolean | null | undefined
}

interface CreateLinkBody extends CommonLinkBody {
  readonly bank_transfer?: boolean | 'true' | 'false' | null | undefined
  readonly bank_statement_description?: string | null | undefined
}

interface CreateSplitLinkBody extends CommonLinkBody {
  /** `share` is in percent, or in euros if `split_type` is `absolute`. */
  readonly recipients: readonly { readonly token: string; readonly share: number }[]
  readonly split_type?: 'normal' | 'absolute' | null | undefined
}

interface RefundPaymentBody {
  readonly pay_id: number
  /** In euros. */
  readonly refund_amount: number
  readonly isFullRefund?: boolean | null | undefined
}

interface GetTaxInvoiceListBody {
  /** Counted from 1. */
  readonly page?: number | null | undefined
  readonly limit?: number | null | undefined
  readonly search?: string | null | undefined
  /** The billed month, as `YYYY-MM`. */
  readonly date?: string | null | undefined
}

interface SendWebhookViaPayIdBody {
  /** A comma-separated list, like `1001,1002`. */
  readonly pay_ids: string
  /** `Success` or `cancel`. */
  readonly status: string
}

export interface CreatedLink {
  readonly id: number
  readonly user_id: string
  /** In euros. */
  readonly amount: number
  readonly recipient_note: string
  readonly status: 'Unused'
  readonly paymentEndpoint: string
  readonly callback_url: string
  readonly servicefee: string
  /** JSON as text. `null` for a link without a split. */
  readonly recipients: string | null
  readonly is_split_link: 'true' | 'false'
  readonly split_type: 'normal' | 'absolute'
  readonly bank_transfer: 'true' | 'false'
  readonly is_qr_link: 'true' | 'false'
  readonly is_cancellation: 'No'
  readonly payment_config: string
  readonly bank_statement_description: string
  readonly created_at: string
  readonly pay_link: string
  readonly qr_img: string
  readonly transaction_type: 'Split' | 'Basic'
}

interface CreatedSplitLink extends CreatedLink {
  readonly recipients: string
  readonly is_split_link: 'true'
  readonly transaction_type: 'Split'
}

interface CreatedBasicLink extends CreatedLink {
  readonly recipients: null
  readonly is_split_link: 'false'
  readonly transaction_type: 'Basic'
}

/** The fees of one month. */
interface ListedInvoice {
  readonly sf_id: string
  readonly user_id: string
  readonly invoice_id: string
  readonly invoice_date: string
  readonly service_month: string
  /** In euros, like the other amounts. */
  readonly total_secpaid_fee: number
  readonly total_psp_fee: number
  readonly vat: number
  readonly company: string
  readonly name: string
  readonly street: string
  readonly house_no: string
  readonly city: string
  readonly country: string
  readonly zipcode: string
  readonly created_at: string
}

/** The request body of each operation. */
export interface OperationBodies {
  readonly createLink: CreateLinkBody
  readonly createSplitLink: CreateSplitLinkBody
  readonly refundPayment: RefundPaymentBody
  readonly getTaxInvoiceList: GetTaxInvoiceListBody
  readonly sendWebhookViaPayId: SendWebhookViaPayIdBody
}

/** The fields of each operation's successful response, apart from those in every response. */
export interface OperationAnswers {
  readonly createLink: { readonly data: CreatedBasicLink }
  readonly createSplitLink: { readonly data: CreatedSplitLink }
  readonly refundPayment: Readonly<Record<never, never>>
  readonly getTaxInvoiceList: { readonly data: readonly ListedInvoice[]; readonly totalRecords: number }
  readonly sendWebhookViaPayId: Readonly<Record<never, never>>
}
