import { z } from 'zod'
import { formatAmount } from '../../contract/format/values.ts'
import { ToolError } from '../explain-failure.ts'
import { link } from '../input-fields.ts'
import { createTool } from '../tool.ts'

export const requestRefundTool = createTool({
  name: 'request_refund',
  title: 'Request a refund',
  description:
    'Requests a refund with the API call of an app, refundPayment. It then awaits operator_decision. A refund sends no webhook.',
  input: z.strictObject({
    link,
    amount: z.number().optional().meta({ description: 'In euros. By default the whole amount.' }),
  }),
  effect: { kind: 'adds' },
  async run({ link: ref, amount }, { sandbox, inspector }) {
    const paid = await sandbox.link(ref)
    const { call } = await sandbox.account(paid.accountId)
    const wanted = amount ?? paid.amount
    const answer = await call('refundPayment', {
      pay_id: paid.payId,
      refund_amount: wanted,
      isFullRefund: wanted === paid.amount,
    })
    if (answer.ResponseCode !== 1) {
      throw new ToolError('The service refused the refund. The data has its message.', {
        ResponseMsg: answer.ResponseMsg,
      })
    }
    return {
      lines: [
        `A refund of ${formatAmount(wanted)} was requested for link ${paid.id}.`,
        'Approve or reject it with operator_decision.',
      ],
      inspector: inspector.payment(paid),
    }
  },
})
