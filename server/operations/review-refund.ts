import { aboutLink } from '../domain/events.ts'
import type { Refund } from '../domain/refund.ts'
import { heed, objectionTo } from '../domain/objections.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import * as links from '../store/links.ts'
import * as refunds from '../store/refunds.ts'
import type { Work } from '../store/store.ts'

/** The operator decides about a refund. No webhook is sent either way. */
export async function reviewRefund(
  work: Work,
  payId: number,
  decision: 'approved' | 'rejected',
): Promise<Refund> {
  const refund = await refunds.find(work.db, payId)
  if (!refund) throw new Refusal('not-found', wording.noRefund(payId))
  const { accountId, linkId, amount, full } = refund
  const { dispute = null } = (await links.find(work.db, linkId)) ?? {}
  heed(
    decision === 'approved'
      ? objectionTo.approveRefund(refund, { dispute })
      : objectionTo.rejectRefund(refund),
  )

  const decided: Refund = { ...refund, state: decision, decidedAt: work.now }
  await refunds.save(work.db, decided)
  await work.record({
    type: `refund.${decision}`,
    ...aboutLink({ accountId, id: linkId, payId }),
    amount,
    full,
  })
  return decided
}
