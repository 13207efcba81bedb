import { z } from 'zod'
import type { Payments } from '../../client/payments.ts'
import type { DeliveryView } from '../../contract/views.ts'
import { formatTook } from '../../contract/format/values.ts'
import { describeDelivery, deliveryTexts, linkLine, STORED_ADVICE } from '../describe.ts'
import { describeExchange } from '../describe-exchange.ts'
import { findingLines, findingsAbout, findingTexts } from '../describe-findings.ts'
import { link, webhook } from '../input-fields.ts'
import { createTool } from '../tool.ts'

const MAX_ATTEMPTS = 5

export const explainWebhookTool = createTool({
  name: 'explain_webhook',
  title: 'Explain why a webhook failed',
  description:
    'Says why a webhook failed, is held or is stored in a tunnel, and what to do, with the bytes that the receiver got and answered. Without arguments, it explains the newest webhook that did not arrive.',
  input: z.strictObject({
    webhook: webhook.optional(),
    link: link
      .optional()
      .meta({ description: 'The newest webhook of this payment link that did not arrive.' }),
  }),
  effect: { kind: 'reads' },
  async run({ webhook: id, link: ref }, { sandbox, inspector }) {
    const linkId = ref === undefined ? undefined : (await sandbox.link(ref)).id
    const found = id ?? (await newestNotDelivered(sandbox, linkId))?.id
    if (found === undefined) return explainNone(sandbox, linkId)
    const delivery = await sandbox.delivery(found)
    const { attempts } = delivery
    const last = attempts.at(-1)
    const [event, findings] =
      last === undefined
        ? [undefined, []]
        : await Promise.all([sandbox.event(last.seq), findingsAbout(sandbox, [last.seq])])
    const isFaulty = event !== undefined && 'fault' in event && event.fault !== undefined
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
              `A listener took it from the tunnel: ${answerText(last.takenBy.status)}, event #${last.takenBy.seq}`,
            ]),
        ...findingLines(findings),
        ...(isFaulty ? [FAULT_ADVICE] : []),
        ...adviceFor(delivery),
      ],
      inspector: last === undefined ? inspector.payment(delivery) : inspector.event(last.seq),
      untrusted: {
        ...deliveryTexts(delivery),
        ...findingTexts(findings),
        ...(event?.exchange == null ? { body: delivery.body } : describeExchange(event.exchange)),
      },
    }
  },
})

const answerText = (status: number | null): string => (status === null ? 'no response' : `HTTP ${status}`)

/** Failed webhooks come first, then held ones, then webhooks that will be tried again, then stored ones. */
async function newestNotDelivered(
  { deliveries }: Payments,
  linkId: number | undefined,
): Promise<DeliveryView | undefined> {
  for (const state of ['failed', 'held', 'pending'] as const) {
    const [newest] = await deliveries({ state, limit: 1, ...(linkId !== undefined && { link: linkId }) })
    if (newest !== undefined) return newest
  }
  return (await deliveries({ stored: true, limit: 1, ...(linkId !== undefined && { link: linkId }) }))[0]
}

async function explainNone(sandbox: Payments, linkId: number | undefined) {
  if (linkId === undefined)
    return { lines: ['No webhook failed, is held, is stored in a tunnel or waits for a retry.'] }
  const [shown, [newest]] = await Promise.all([
    sandbox.link(linkId),
    sandbox.deliveries({ link: linkId, limit: 1 }),
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

function adviceFor({ state, id, nextAttemptAt, storedIn }: DeliveryView): string[] {
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
