import { z } from 'zod'
import { resolveBehaviors } from '../../../domain/behaviors/behavior.ts'
import {
  formFieldName,
  isNumberField,
  sampleWebhook,
  statusTexts,
  webhookBody,
  webhookFields,
  type WebhookFieldName,
  type WebhookFormat,
} from '../../../domain/webhooks/webhook.ts'
import type { Parameter, PathItem, Response } from '../../../platform/openapi/document.ts'
import type { Schemas } from '../../../platform/openapi/schemas.ts'

const fieldTypes = {
  integer: z.int(),
  number: z.number(),
  text: z.string(),
  status: z.enum(statusTexts),
}

const fieldSchema = (name: WebhookFieldName): z.ZodType => {
  const { type, description } = webhookFields[name]
  return fieldTypes[type].meta({ description })
}

const fieldNames = Object.keys(webhookFields) as WebhookFieldName[]

const payId = fieldSchema('pay_id').meta({ examples: [sampleWebhook.payId] })
const status = fieldSchema('status')

const payment = {
  ...Object.fromEntries(fieldNames.map((name) => [name, fieldSchema(name)])),
  pay_id: payId,
}

const code = z.literal(1).meta({ description: 'Always 1, also for a cancelled payment.' })

const WebhookJson = z
  .object({ ResponseCode: code, data: z.object(payment) })
  .meta({ id: 'WebhookJson', description: 'The webhook if the behavior `webhookEncoding` is `json`.' })

/** The brackets are part of the field names. */
const WebhookForm = z
  .object({
    ResponseCode: code,
    ...Object.fromEntries(Object.entries(payment).map(([name, type]) => [formFieldName(name), type])),
  })
  .meta({ id: 'WebhookForm', description: 'The webhook by default.' })

const received: Readonly<Record<string, Response>> = {
  '2XX': { description: 'Received. The response body is only shown in the inspector.' },
}

const formatAs = (webhookEncoding: 'form' | 'json'): WebhookFormat => ({
  ...resolveBehaviors(),
  webhookEncoding,
})

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
              paid: { summary: 'Paid', value: formOf(webhookBody(sampleWebhook, formatAs('form')).text) },
            },
          },
          'application/json': {
            schema: output(WebhookJson),
            examples: {
              paid: {
                summary: 'Paid',
                value: JSON.parse(webhookBody(sampleWebhook, formatAs('json')).text) as unknown,
              },
            },
          },
        },
      },
      responses: received,
      'x-sandbox-behaviors': [
        'webhookEncoding',
        'formEncoding',
        'statusText',
        'amountText',
        'cancelWebhook',
        'retries',
        'order',
        'repeatedEntries',
        'webhookSignature',
        'webhookAnswer',
        'linkStates',
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
      'x-sandbox-behaviors': [
        'statusText',
        'order',
        'payId',
        'redirectQuery',
        'transferRedirect',
        'addresses',
      ],
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

const numberNames = new Set(['ResponseCode', ...fieldNames.filter(isNumberField).map(formFieldName)])

/** Converts the fields of a form to the types of the schema. */
const formOf = (text: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [
      name,
      numberNames.has(name) ? Number(value) : value,
    ]),
  )
