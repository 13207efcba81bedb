import { linkSubject } from '../../../domain/links/subject.ts'
import type { EntryPoint } from '../../../domain/events/event-fields.ts'
import type { Link } from '../../../domain/links/link.ts'
import { assertAllowed, whyNot } from '../../../domain/links/link-rules.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Deletes an unpaid link. No webhook is sent. */
export async function deleteLink(work: UnitOfWork, link: Link, entryPoint: EntryPoint): Promise<Link> {
  assertAllowed(whyNot.delete(link))
  const deleted: Link = { ...link, status: 'deleted' }
  await links.save(work.db, deleted)
  await work.record({ type: 'link.deleted', ...linkSubject(link), entryPoint })
  return deleted
}
