import { z } from 'zod'
import { ReplayBody } from '../../contract/schemas/delivery.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { describeDelivery, deliveryTexts, STORED_ADVICE } from '../describe.ts'
import { webhook } from '../input-fields.ts'
import { createAction } from '../tool.ts'

export const replayWebhookAction = createAction({
  description:
    'Sends a webhook again, with the same bytes to the same target unless you pass others. Answers once the webhook is sent.',
  input: z.strictObject({ webhook, to: ReplayBody.shape.to, body: ReplayBody.shape.body }),
  effect: { kind: 'adds', reachesApp: true },
  async run({ webhook: id, ...changes }, { sandbox, inspector }) {
    const delivery = await sandbox.replay(id, omitUndefined(changes))
    const last = delivery.attempts.at(-1)
    return {
      lines: [
        describeDelivery(delivery),
        ...(delivery.state === 'delivered'
          ? delivery.storedIn === undefined
            ? []
            : [STORED_ADVICE]
          : [`Use explain_webhook with webhook ${delivery.id} to find out why.`]),
      ],
      inspector: last === undefined ? inspector.payment(delivery) : inspector.event(last.seq),
      untrusted: deliveryTexts(delivery),
    }
  },
})
