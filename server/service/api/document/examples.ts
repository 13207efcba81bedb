import createLink from '../../../../fixtures/contract/create-link.json' with { type: 'json' }
import createSplitLink from '../../../../fixtures/contract/create-split-link.json' with { type: 'json' }
import getTaxInvoiceList from '../../../../fixtures/contract/get-tax-invoice-list.json' with { type: 'json' }
import refundPayment from '../../../../fixtures/contract/refund-payment.json' with { type: 'json' }
import sendWebhookViaPayId from '../../../../fixtures/contract/send-webhook-via-pay-id.json' with { type: 'json' }

/** A request and its response in the contract. */
export interface Case {
  readonly name: string
  /** The calls to make before this request. */
  readonly given?: readonly ExampleStep[]
  readonly request: {
    readonly operation: string
    readonly headers: { readonly token?: string }
    readonly body: object
  }
  readonly answer: { readonly status: number; readonly body: { readonly ResponseCode: number } }
}

/** A call of the v2 API, or the method and path of a route of the control API. */
export type ExampleStep = { readonly call: string; readonly body: unknown } | { readonly control: string }

const contract: readonly Case[] = [
  ...createLink,
  ...createSplitLink,
  ...getTaxInvoiceList,
  ...refundPayment,
  ...sendWebhookViaPayId,
]

/** The successful cases of an operation. */
export const successExamples = (operation: string): Case[] =>
  contract.filter(({ request, answer }) => request.operation === operation && answer.body.ResponseCode === 1)
