import { decodeLinkId } from '../../domain/links/link-id.ts'
import type { Link } from '../../domain/links/link.ts'
import * as links from '../../store/repositories/links.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** Finds the link of a `link_id`. */
export async function findLinkOfPage(
  { db }: Pick<UnitOfWork, 'db'>,
  linkId: string | undefined,
): Promise<Link | undefined> {
  const payId = linkId === undefined ? undefined : decodeLinkId(linkId)
  return payId === undefined ? undefined : links.withPayId(db, payId)
}
