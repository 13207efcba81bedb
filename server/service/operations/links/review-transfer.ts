import { linkSubject } from '../../../domain/links/subject.ts'
import type { EntryPoint } from '../../../domain/events/event-fields.ts'
import type { Link } from '../../../domain/links/link.ts'
import { assertAllowed, whyNot } from '../../../domain/links/link-rules.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { PaymentResult } from '../webhooks/payment-result.ts'
import { confirmPayment } from './pay-link.ts'

/** Confirms that the money of a bank transfer has arrived. The waiting page then redirects the browser. */
export async function approveTransfer(
  work: UnitOfWork,
  link: Link,
  entryPoint: EntryPoint,
): Promise<PaymentResult> {
  assertAllowed(whyNot.reviewTransfer(link))
  return confirmPayment(work, link, 'bank-transfer', entryPoint, 'away')
}

/** Records that the money of a bank transfer has not arrived. The link can be paid again. */
export async function rejectTransfer(work: UnitOfWork, link: Link, entryPoint: EntryPoint): Promise<Link> {
  assertAllowed(whyNot.reviewTransfer(link))
  const unused: Link = { ...link, status: 'unused' }
  await links.save(work.db, unused)
  await work.record({ type: 'bank_transfer.rejected', ...linkSubject(link), entryPoint })
  return unused
}
