import { z } from 'zod'
import { formatAmount } from '../../contract/format/values.ts'
import { ToolError } from '../explain-failure.ts'
import { link } from '../input-fields.ts'
import { createAction } from '../tool.ts'

export const requestRefundAction = createAction({
  description:
    'Requests a refund with the API call that an app makes, refundPayment. The refund then awaits approve_refund or reject_refund. A refund sends no webhook.',
  input: z.strictObject({
    link,
    amount: z.number().optional().meta({ description: 'In euros. By default the whole amount.' }),
  }),
  effect: { kind: 'adds' },
  async run({ link: ref, amount }, { sandbox, inspector }) {
    const paid = await sandbox.link(ref)
    const { call } = await sandbox.account(paid.accountId)
    const refundAmount = amount ?? paid.amount
    const answer = await call('refundPayment', {
      pay_id: paid.payId,
      refund_amount: refundAmount,
      isFullRefund: refundAmount === paid.amount,
    })
    if (answer.ResponseCode !== 1) {
      throw new ToolError('The service refused the refund. The data has its message.', {
        ResponseMsg: answer.ResponseMsg,
      })
    }
    return {
      lines: [
        `A refund of ${formatAmount(refundAmount)} was requested for link ${paid.id}.`,
        'Approve or reject it with payment and approve_refund or reject_refund.',
      ],
      inspector: inspector.payment(paid),
    }
  },
})
