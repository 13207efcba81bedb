import { aboutLink, type Door } from '../domain/events.ts'
import type { Link } from '../domain/link.ts'
import { heed, objectionTo } from '../domain/objections.ts'
import * as links from '../store/links.ts'
import type { Work } from '../store/store.ts'
import { announce } from './announce.ts'
import { inForceFor } from './caller.ts'
import { redirectBrowser, type Browser, type Consequence } from './outcome.ts'

/** The customer cancels, where the link lets them. */
export async function cancelLink(work: Work, link: Link, browser: Browser, door: Door): Promise<Consequence> {
  heed(objectionTo.cancel(link))

  const cancelled: Link = { ...link, status: 'cancelled' }
  await links.save(work.db, cancelled)
  await work.record({ type: 'link.cancelled', ...aboutLink(link), door })

  const inForce = await inForceFor(work, link.accountId)
  const sent = await redirectBrowser(work, cancelled, 'cancel', browser, inForce)
  const sends = inForce.rely('cancelWebhook') === 'send'
  const deliveries = sends ? await announce(work, cancelled, 'cancel', 'outcome', inForce) : []
  return { link: cancelled, ...sent, deliveries, assumed: inForce.relied }
}
