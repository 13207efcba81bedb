import { z } from 'zod'
import { describeOutcome, linkLine, linkTexts, refundLine } from '../describe.ts'
import { link } from '../input-fields.ts'
import { createTool } from '../tool.ts'

export const operatorDecisionTool = createTool({
  name: 'operator_decision',
  title: 'Decide a bank transfer or a refund',
  description:
    'Decides what waits for the operator of the payment service, as on the Review screen: a bank transfer that a customer initiated, or a refund that was requested.',
  input: z.strictObject({
    link,
    decision: z.enum(['approve_transfer', 'reject_transfer', 'approve_refund', 'reject_refund']),
  }),
  effect: { kind: 'changes', isIdempotent: true, reachesApp: true },
  async run({ link: ref, decision }, { sandbox, inspector }) {
    switch (decision) {
      case 'approve_transfer':
        return describeOutcome(await sandbox.approveTransfer(ref), inspector)
      case 'reject_transfer': {
        const rejected = await sandbox.rejectTransfer(ref)
        return {
          lines: ['The bank transfer was rejected. The link can be paid again.', linkLine(rejected)],
          inspector: inspector.payment(rejected),
          untrusted: linkTexts(rejected),
        }
      }
      case 'approve_refund':
      case 'reject_refund': {
        const refund = await sandbox.refunds[decision === 'approve_refund' ? 'approve' : 'reject'](ref)
        return { lines: [refundLine(refund)], inspector: inspector.payment(refund) }
      }
    }
  },
})
