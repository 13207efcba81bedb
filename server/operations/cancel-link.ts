import { aboutLink, type Door } from '../domain/events.ts'
import type { Link } from '../domain/link.ts'
import { heed, objectionTo } from '../domain/objections.ts'
import * as links from '../store/links.ts'
import type { Work } from '../store/store.ts'
import { inForceFor } from './caller.ts'
import { notify } from './notify.ts'
import type { Browser, Consequence } from './outcome.ts'

/** The customer cancels, where the link lets them. */
export async function cancelLink(work: Work, link: Link, browser: Browser, door: Door): Promise<Consequence> {
  heed(objectionTo.cancel(link))

  const cancelled: Link = { ...link, status: 'cancelled' }
  await links.save(work.db, cancelled)
  await work.record({ type: 'link.cancelled', ...aboutLink(link), door })

  const inForce = await inForceFor(work, link.accountId)
  const sendsWebhook = () => inForce.rely('cancelWebhook') === 'send'
  const notified = await notify(work, cancelled, 'cancel', { browser, door }, inForce, sendsWebhook)
  return { link: cancelled, ...notified, assumed: inForce.relied }
}
