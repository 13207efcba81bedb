import { aboutLink } from '../../domain/links/subject.ts'
import type { Door } from '../../domain/events/event.ts'
import type { Link } from '../../domain/links/link.ts'
import { heed, objectionTo } from '../../domain/links/why-not.ts'
import type { Work } from '../../store/store.ts'

/** The customer's bank declines the card. Nothing changes: the link can be tried again, nobody is told. */
export async function declineLink(work: Work, link: Link, door: Door): Promise<void> {
  heed(objectionTo.pay(link))
  await work.record({ type: 'link.declined', ...aboutLink(link), door })
}
