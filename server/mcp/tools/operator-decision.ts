import { z } from 'zod'
import { describeOutcome, linkLine, linkTexts, refundLine } from '../describe.ts'
import { link } from '../input-fields.ts'
import { createAction } from '../tool.ts'

const effect = { kind: 'changes', isIdempotent: true, reachesApp: true } as const

const input = z.strictObject({ link })

const reviewRefund = (verdict: 'approve' | 'reject', description: string) =>
  createAction({
    description,
    input,
    effect,
    async run({ link: ref }, { sandbox, inspector }) {
      const refund = await sandbox.refunds[verdict](ref)
      return { lines: [refundLine(refund)], inspector: inspector.payment(refund) }
    },
  })

/** The decisions of the payment service's operator, as on the tab Review. */
export const operatorDecisions = {
  approve_transfer: createAction({
    description: 'Confirms a bank transfer that the customer initiated.',
    input,
    effect,
    run: async ({ link: ref }, { sandbox, inspector }) =>
      describeOutcome(await sandbox.approveTransfer(ref), inspector),
  }),
  reject_transfer: createAction({
    description: 'Rejects a bank transfer that the customer initiated.',
    input,
    effect,
    async run({ link: ref }, { sandbox, inspector }) {
      const rejected = await sandbox.rejectTransfer(ref)
      return {
        lines: ['The bank transfer was rejected. The link can be paid again.', linkLine(rejected)],
        inspector: inspector.payment(rejected),
        untrusted: linkTexts(rejected),
      }
    },
  }),
  approve_refund: reviewRefund('approve', 'Approves a refund that was requested.'),
  reject_refund: reviewRefund('reject', 'Rejects a refund that was requested.'),
}
