import { linkSubject } from '../../../domain/links/subject.ts'
import type { EntryPoint } from '../../../domain/events/event-fields.ts'
import type { Link } from '../../../domain/links/link.ts'
import { assertAllowed, whyNot } from '../../../domain/links/link-rules.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Records that the customer's bank declined the card. The link can still be paid, and no webhook is sent. */
export async function declineLink(work: UnitOfWork, link: Link, entryPoint: EntryPoint): Promise<void> {
  assertAllowed(whyNot.pay(link))
  await work.record({ type: 'link.declined', ...linkSubject(link), entryPoint })
}
