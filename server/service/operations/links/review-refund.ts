import { linkSubject } from '../../../domain/links/subject.ts'
import type { Refund } from '../../../domain/links/refund.ts'
import { assertAllowed, whyNot } from '../../../domain/links/link-rules.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import * as links from '../../../store/repositories/links.ts'
import * as refunds from '../../../store/repositories/refunds.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { activeBehaviors } from '../accounts/caller.ts'
import { planAfterRefund } from '../webhooks/plan-notifications.ts'

/** Approves or rejects a refund. Sends only the webhooks that the behavior `order` lists after a refund. */
export async function reviewRefund(
  work: UnitOfWork,
  payId: number,
  decision: 'approved' | 'rejected',
): Promise<Refund> {
  const refund = await refunds.find(work.db, payId)
  if (!refund) throw apiError('noRefund', payId)
  const { accountId, linkId, amount, full } = refund
  const link = await links.find(work.db, linkId)
  const { dispute = null } = link ?? {}
  const { wonDispute } = (await activeBehaviors(work, accountId)).settings
  assertAllowed(
    decision === 'approved'
      ? whyNot.approveRefund(refund, { dispute }, wonDispute)
      : whyNot.rejectRefund(refund),
  )

  const decided: Refund = { ...refund, state: decision, decidedAt: work.now }
  await refunds.save(work.db, decided)
  await work.record({
    type: `refund.${decision}`,
    ...linkSubject({ accountId, id: linkId, payId }),
    amount,
    full,
  })
  if (link !== undefined && decision === 'approved') await planAfterRefund(work, link)
  return decided
}
