import { aboutLink, type Door } from '../domain/events.ts'
import type { Link } from '../domain/link.ts'
import { heed, objectionTo } from '../domain/objections.ts'
import * as links from '../store/links.ts'
import type { Work } from '../store/store.ts'

/** Takes a link that was not paid out of use. No webhook is sent. */
export async function deleteLink(work: Work, link: Link, door: Door): Promise<Link> {
  heed(objectionTo.delete(link))
  const deleted: Link = { ...link, status: 'deleted' }
  await links.save(work.db, deleted)
  await work.record({ type: 'link.deleted', ...aboutLink(link), door })
  return deleted
}
