import type { Link } from '../domain/links/link.ts'
import { webhookTargets } from '../service/operations/webhooks/enqueue-webhooks.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { Store } from '../store/store.ts'
import { presentLink, type LinkView } from '../contract/views.ts'

export async function presentLinks(
  store: Store,
  links: readonly Link[],
  baseUrl: string,
): Promise<LinkView[]> {
  const maps = await egressRules.maps(store.db)
  return Promise.all(
    links.map(async (link) => presentLink(link, await webhookTargets(store, link), baseUrl, maps)),
  )
}
