import { aboutLink } from '../../domain/links/subject.ts'
import type { Door } from '../../domain/events/event.ts'
import type { Link } from '../../domain/links/link.ts'
import { heed, objectionTo } from '../../domain/links/why-not.ts'
import * as links from '../../store/repositories/links.ts'
import type { Work } from '../../store/store.ts'

/** Takes a link that was not paid out of use. No webhook is sent. */
export async function deleteLink(work: Work, link: Link, door: Door): Promise<Link> {
  heed(objectionTo.delete(link))
  const deleted: Link = { ...link, status: 'deleted' }
  await links.save(work.db, deleted)
  await work.record({ type: 'link.deleted', ...aboutLink(link), door })
  return deleted
}
