import type { Kysely } from 'kysely'
import type { Link } from '../domain/links/link.ts'
import { webhookTargets } from '../service/operations/webhooks/enqueue-webhooks.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { Database } from '../store/schema.ts'
import { presentLink, type LinkView } from '../contract/views.ts'

export async function presentLinks(
  db: Kysely<Database>,
  links: readonly Link[],
  baseUrl: string,
): Promise<LinkView[]> {
  const maps = await egressRules.maps(db)
  return Promise.all(
    links.map(async (link) => presentLink(link, await webhookTargets({ db }, link), baseUrl, maps)),
  )
}
