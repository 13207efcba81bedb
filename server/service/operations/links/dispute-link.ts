import { linkSubject } from '../../../domain/links/subject.ts'
import type { DisputeState, Link } from '../../../domain/links/link.ts'
import { assertAllowed, whyNot } from '../../../domain/links/link-rules.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Opens a dispute about a payment. It blocks refunds. */
export async function openDispute(work: UnitOfWork, link: Link): Promise<Link> {
  assertAllowed(whyNot.openDispute(link))
  const disputed: Link = { ...link, dispute: 'open' }
  await links.save(work.db, disputed)
  await work.record({ type: 'dispute.opened', ...linkSubject(link) })
  return disputed
}

/** Closes a dispute, won or lost by the customer. */
export async function closeDispute(
  work: UnitOfWork,
  link: Link,
  outcome: Exclude<DisputeState, 'open'>,
): Promise<Link> {
  assertAllowed(whyNot.closeDispute(link))
  const closed: Link = { ...link, dispute: outcome }
  await links.save(work.db, closed)
  await work.record({ type: 'dispute.closed', ...linkSubject(link), outcome })
  return closed
}
