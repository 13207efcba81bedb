import { z } from 'zod'
import { webhookBody } from '../../domain/webhooks/webhook.ts'
import type { Parameter, PathItem, Response } from '../../openapi/document.ts'
import type { Schemas } from '../../openapi/schemas.ts'

const payId = z.int().meta({ description: 'The payment.', examples: [1001] })
const status = z
  .enum(['Success', 'cancel', 'success'])
  .meta({ description: 'The outcome. `success` only if the behavior `statusText` is `lowercase`.' })

const payment = {
  pay_id: payId,
  note: z.string().meta({ description: 'The `recipient_note` of the link.' }),
  amount: z.number().meta({ description: 'The paid amount, in euros.' }),
  user_id: z.string().meta({ description: 'The id of the account that owns the link.' }),
  status,
}

const code = z.literal(1).meta({ description: 'Always 1, also for a cancelled payment.' })

const WebhookJson = z
  .object({ ResponseCode: code, data: z.object(payment) })
  .meta({ id: 'WebhookJson', description: 'The webhook if the behavior `webhookEncoding` is `json`.' })

/** The brackets are part of the field names. */
const WebhookForm = z
  .object({
    ResponseCode: code,
    ...Object.fromEntries(Object.entries(payment).map(([name, type]) => [`data[${name}]`, type])),
  })
  .meta({ id: 'WebhookForm', description: 'The webhook by default.' })

const sample = {
  payId: 1001,
  note: 'Order 7',
  amount: 10_000,
  accountId: '00000000-0000-4000-8000-000000000001',
  status: 'Success',
} as const

const received: Readonly<Record<string, Response>> = {
  '2XX': { description: 'Received. The response body is only shown in the inspector.' },
}

/** Describes what the service sends: the webhook, and the redirect of the browser. */
export const notifications = ({ output }: Schemas): Record<string, PathItem> => ({
  webhook: {
    post: {
      operationId: 'webhook',
      tags: ['Notifications'],
      summary: 'A payment ended',
      description:
        'Sent to every target of the link: the entries of `payment_endpoint`, or the payment endpoint of the account. Rely on it, as the browser may never come back. It is not signed. Recipients of shares get none.',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: output(WebhookForm),
            examples: {
              paid: { summary: 'Paid', value: formOf(webhookBody(sample, 'form', 'shortest').text) },
            },
          },
          'application/json': {
            schema: output(WebhookJson),
            examples: {
              paid: {
                summary: 'Paid',
                value: JSON.parse(webhookBody(sample, 'json', 'shortest').text) as unknown,
              },
            },
          },
        },
      },
      responses: received,
      'x-sandbox-behaviors': [
        'webhookEncoding',
        'statusText',
        'amountText',
        'cancelWebhook',
        'retries',
        'order',
        'repeatedEntries',
        'rejectedTransfer',
      ],
    },
  },
  redirect: {
    get: {
      operationId: 'redirect',
      tags: ['Notifications'],
      summary: 'The browser comes back',
      description:
        "After the payment, HTTP 302 sends the customer's browser to the link's `callback_url`, with these query parameters. Customers can change them and close the browser, so use them only to show a page.",
      security: [],
      parameters: [parameter('pay_id', output(payId)), parameter('status', output(status))],
      responses: { '200': { description: 'A page of the shop.' } },
      'x-sandbox-behaviors': ['statusText', 'order', 'payId'],
    },
  },
})

const parameter = (name: string, schema: Parameter['schema']): Parameter => ({
  name,
  in: 'query',
  required: true,
  ...(schema.description === undefined ? {} : { description: schema.description }),
  schema,
})

/** Converts the fields of a form to the types of the schema. */
const formOf = (text: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [
      name,
      /^(ResponseCode|data\[(pay_id|amount)\])$/.test(name) ? Number(value) : value,
    ]),
  )
