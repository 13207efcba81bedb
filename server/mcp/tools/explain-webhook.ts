import { z } from 'zod'
import { readPaymentEvents } from '../../client/payment-events.ts'
import { paymentsOf } from '../../contract/format/verdict.ts'
import type { WebhookMark } from '../../contract/format/webhook-marks.ts'
import { isForged } from '../../domain/faults/fault.ts'
import type { Payments } from '../../client/payments.ts'
import type { DeliveryView } from '../../contract/views.ts'
import { formatTook } from '../../contract/format/values.ts'
import { describeDelivery, deliveryTexts, linkLine, STORED_ADVICE } from '../describe.ts'
import { describeExchange } from '../describe-exchange.ts'
import { findingLines, findingsAbout, findingTexts } from '../describe-findings.ts'
import { link, webhook } from '../input-fields.ts'
import { createTool, type ToolContext } from '../tool.ts'

const MAX_ATTEMPTS = 5

export const explainWebhookTool = createTool({
  name: 'explain_webhook',
  title: 'Explain why a webhook failed',
  description:
    'Says why a webhook failed, is held or is stored in a tunnel, and what to do, with the bytes that the receiver got and sent back. Without arguments, it explains the newest webhook that did not arrive.',
  input: z.strictObject({
    webhook: webhook.optional(),
    link: link
      .optional()
      .meta({ description: 'The newest webhook of this payment link that did not arrive.' }),
  }),
  effect: { kind: 'reads' },
  async run({ webhook: id, link: ref }, context) {
    const { sandbox } = context
    const linkId = ref === undefined ? undefined : (await sandbox.link(ref)).id
    if (id === undefined) {
      const marks = await readMarks(sandbox, linkId)
      const missing = newestNotDelivered(marks)
      return missing === undefined
        ? explainNone(sandbox, linkId, marks)
        : explain(missing.deliveryId, context, marks)
    }
    return explain(id, context)
  },
})

async function explain(id: number, { sandbox, inspector }: ToolContext, known?: readonly WebhookMark[]) {
  const delivery = await sandbox.delivery(id)
  const marks = known ?? (await readMarks(sandbox, delivery.linkId))
  const arrival = marks.find(({ state, deliveryIds }) => state === 'delivered' && deliveryIds.includes(id))
  const { attempts } = delivery
  const last = attempts.at(-1)
  const [event, findings] =
    last === undefined
      ? [undefined, []]
      : await Promise.all([sandbox.event(last.seq), findingsAbout(sandbox, [last.seq])])
  const isFaulty =
    event !== undefined && 'fault' in event && event.fault !== undefined && !isForged(event.fault)
  return {
    lines: [
      describeDelivery(delivery),
      ...attempts
        .slice(-MAX_ATTEMPTS)
        .map(
          ({ number, status, ms, seq, storedIn }) =>
            `Attempt ${number}: ${answerText(status)}${storedIn === undefined ? '' : ' of a tunnel'} after ${formatTook(ms)}, event #${seq}`,
        ),
      ...(last?.takenBy === undefined
        ? []
        : [
            `A listener fetched the webhook from the tunnel: ${answerText(last.takenBy.status)}, event #${last.takenBy.seq}`,
          ]),
      ...findingLines(findings),
      ...(isFaulty ? [FAULT_ADVICE] : []),
      ...adviceFor(delivery, arrival),
    ],
    inspector: last === undefined ? inspector.payment(delivery) : inspector.event(last.seq),
    untrusted: {
      ...deliveryTexts(delivery),
      ...findingTexts(findings),
      ...(event?.exchange == null ? { body: delivery.body } : await describeExchange(event.exchange)),
    },
  }
}

const answerText = (status: number | null): string => (status === null ? 'no response' : `HTTP ${status}`)

const readMarks = async (sandbox: Payments, linkId: number | undefined): Promise<readonly WebhookMark[]> =>
  paymentsOf(await readPaymentEvents(sandbox, linkId)).flatMap(({ webhooks }) => webhooks)

/**
 * The newest webhook that did not arrive: first among failed ones, then held ones, then those that will be sent, and last stored
 * ones.
 */
function newestNotDelivered(marks: readonly WebhookMark[]): WebhookMark | undefined {
  const newest = marks.toSorted((one, other) => other.deliveryId - one.deliveryId)
  return (['failed', 'held', 'retrying', 'queued', 'stored'] as const)
    .map((wanted) => newest.find(({ state }) => state === wanted))
    .find((mark) => mark !== undefined)
}

async function explainNone(sandbox: Payments, linkId: number | undefined, marks: readonly WebhookMark[]) {
  if (linkId === undefined)
    return {
      lines: [
        'No payment misses a webhook: none failed without arriving later, is held, is stored in a tunnel or waits for a retry.',
      ],
    }
  const last = Math.max(...marks.map(({ deliveryId }) => deliveryId))
  const [shown, newest] = await Promise.all([
    sandbox.link(linkId),
    marks.length === 0 ? undefined : sandbox.delivery(last),
  ])
  return {
    lines: [
      linkLine(shown),
      newest === undefined
        ? shown.targets.length === 0
          ? 'It sent no webhook, because neither the link nor its account has a payment endpoint. Set one with account, or pass paymentEndpoint to create_link.'
          : 'It sent no webhook, because no payment has had an outcome that sends one.'
        : `All its webhooks arrived. The newest: ${describeDelivery(newest)}`,
    ],
  }
}

const FAULT_ADVICE = 'A fault changed the last attempt. sandbox_status lists faults, settings removes them.'

const FORGED_ADVICE =
  "It is forged, or its bytes differ from the payment's own webhook. Even if the app accepts it, this does not mean that the app knows about the payment."

function adviceFor(
  { state, id, nextAttemptAt, storedIn, fault }: DeliveryView,
  arrival: WebhookMark | undefined,
): string[] {
  if (isForged(fault)) return [FORGED_ADVICE]
  if (arrival !== undefined && arrival.deliveryId !== id) {
    const when = arrival.deliveryId > id ? 'later' : 'before'
    const where = arrival.deliveredTo === undefined ? '' : ' at another address'
    return [`It arrived ${when} as webhook ${arrival.deliveryId}${where}, so there is nothing to send again.`]
  }
  if (storedIn !== undefined) return [STORED_ADVICE]
  switch (state) {
    case 'held':
      return [
        'The sandbox holds it, because its host is outside of this machine and private networks. A person can allow it in the inspector. Or change the target with account.',
      ]
    case 'pending':
      return [
        nextAttemptAt === null
          ? 'It is being sent.'
          : `It is tried again at ${nextAttemptAt}. settings with set_clock can advance to that time.`,
      ]
    case 'failed':
      return [`Once the receiver is corrected, send it again with payment, replay and webhook ${id}.`]
    case 'delivered':
      return ['It arrived.']
  }
}
