import { z } from 'zod'
import { resolveBehaviors } from '../../../domain/behaviors/behavior.ts'
import {
  formFieldName,
  isNumberField,
  paymentOutcomes,
  sampleWebhook,
  webhookBody,
  webhookFields,
  type WebhookContent,
  type WebhookFieldName,
  type WebhookFormat,
} from '../../../domain/webhooks/webhook.ts'
import type { Example, Parameter, PathItem, ResponseObject } from '../../../platform/openapi/document.ts'
import { assume } from '../assumed.ts'
import type { Schemas } from '../../../platform/openapi/schemas.ts'

const fieldTypes = {
  integer: z.int(),
  number: z.number(),
  text: z.string(),
  status: z.union([z.enum(paymentOutcomes), z.enum(['success']).apply(assume, 'statusText', 'enum')]),
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
  user_id: fieldSchema('user_id').meta({ format: 'uuid' }),
  status: status
    .meta({
      description: `${status.description} With \`resendStatus=as-given\`, \`sendWebhookViaPayId\` sends any other text as it was given.`,
    })
    .apply(assume, 'resendStatus', 'description'),
}

const code = z.literal(1).meta({ description: 'Always 1, even for a cancelled payment.' })

const WebhookJson = z
  .object({ ResponseCode: code, data: z.object(payment) })
  .meta({ id: 'WebhookJson', description: 'The webhook if the behavior `webhookEncoding` is `json`.' })

/** The names of the fields contain brackets. */
const WebhookForm = z
  .object({
    ResponseCode: code,
    ...Object.fromEntries(Object.entries(payment).map(([name, type]) => [formFieldName(name), type])),
  })
  .meta({ id: 'WebhookForm', description: 'The webhook by default.' })

const received: Readonly<Record<string, ResponseObject>> = {
  '2XX': { description: 'Received. The response body is only shown in the inspector.' },
}

const formatAs = (webhookEncoding: 'form' | 'json'): WebhookFormat => ({
  ...resolveBehaviors(),
  webhookEncoding,
})

const cancelledWebhook = { ...sampleWebhook, status: 'cancel' }

const readForm = (content: WebhookContent): unknown => formOf(webhookBody(content, formatAs('form')).text)

const readJson = (content: WebhookContent): unknown => JSON.parse(webhookBody(content, formatAs('json')).text)

const webhookExamples = (read: (content: WebhookContent) => unknown): Record<string, Example> => ({
  paid: { summary: 'Paid', value: read(sampleWebhook) },
  cancelled: { summary: 'Cancelled', value: read(cancelledWebhook) },
})

/** Describes what the service sends: the webhook, and the redirect of the browser. */
export const notifications = ({ output }: Schemas): Record<string, PathItem> => ({
  webhook: {
    post: {
      operationId: 'webhook',
      tags: ['Notifications'],
      summary: 'A payment ended',
      description: [
        'Sent when a card payment is confirmed or an operator has approved a bank transfer (`Success`), when the customer cancels (`cancel`), and again by `sendWebhookViaPayId`. There is none for a deleted link or a refund.',
        'Every target of the link gets the same request: the entries of `payment_endpoint`, or else the payment endpoint of the account. Recipients of shares get none. Answer with any 2xx status.',
        'Fulfill an order only when its webhook has arrived, because the browser may never come back. The webhook is not signed.',
      ].join('\n\n'),
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: output(WebhookForm),
            examples: webhookExamples(readForm),
          },
          'application/json': {
            schema: output(WebhookJson),
            examples: webhookExamples(readJson),
          },
        },
      },
      responses: received,
      'x-sandbox-behaviors': [
        'payId',
        'webhookEncoding',
        'formEncoding',
        'statusText',
        'resendStatus',
        'amountText',
        'cancelWebhook',
        'retries',
        'order',
        'storedUrls',
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
      description: [
        "After a payment, HTTP 302 sends the customer's browser to the link's `callback_url`, to whose query these parameters are added. If the customer cancels, `status` is `cancel`. That happens only to a link that is `cancellable`.",
        'Of several entries in `callback_url`, the first one is used. Without `callback_url`, the browser gets a page of the service: `/payment/success` or `/payment/cancelled`.',
        'Customers can change the parameters and close the browser, so use them only to show a page.',
      ].join('\n\n'),
      security: [],
      parameters: [parameter('pay_id', output(payId)), parameter('status', output(status))],
      responses: { '200': { description: 'A page of the shop.' } },
      'x-sandbox-behaviors': [
        'payId',
        'statusText',
        'order',
        'storedUrls',
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
