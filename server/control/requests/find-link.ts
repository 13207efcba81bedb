import type { Kysely } from 'kysely'
import { z } from 'zod'
import { extractLinkId, decodeLinkId } from '../../domain/links/link-id.ts'
import type { Link } from '../../domain/links/link.ts'
import * as links from '../../store/repositories/links.ts'
import type { Database } from '../../store/schema.ts'
import { notFound } from './problem.ts'
import { parseId } from './query-params.ts'

export const linkRef = z.string().meta({
  description: 'The link: its id, its `link_id`, `pay:<pay_id>`, or its pay link, percent-encoded.',
  examples: ['pay:1001'],
})

/** Finds a link by its id, its `link_id`, `pay:<pay_id>`, or its pay link. */
export async function findLink(db: Kysely<Database>, ref: string): Promise<Link> {
  const link = await lookUp(db, ref)
  if (link) return link
  const hint = await idHint(db, ref)
  throw notFound(
    `There is no payment link ${ref}${hint ?? '. Name a link by its id, its link_id, pay:<pay_id>, or its pay link'}.`,
  )
}

/** A hint if a `pay_id` was passed instead of an id or vice versa, because the two are easily confused. */
async function idHint(db: Kysely<Database>, ref: string): Promise<string | undefined> {
  const [, pay, digits] = /^(pay:)?(\d{1,15})$/.exec(ref) ?? []
  if (digits === undefined) return undefined
  if (pay === undefined) {
    const other = await links.withPayId(db, Number(digits))
    return other && `, but link ${other.id} has that pay_id: write pay:${digits}`
  }
  const other = await links.find(db, Number(digits))
  return other && `, but link ${digits} has that id: leave out pay:`
}

function lookUp(db: Kysely<Database>, ref: string): Promise<Link | undefined> {
  const id = parseId(ref)
  if (id !== undefined) return links.find(db, id)
  const [, digits = ''] = /^pay:(.*)$/.exec(ref) ?? []
  const payId = parseId(digits) ?? decodeLinkId(extractLinkId(ref))
  return payId === undefined ? Promise.resolve(undefined) : links.withPayId(db, payId)
}

/** The filter for one link. Without a reference, for all links. */
export const linkFilter = async (
  db: Kysely<Database>,
  ref: string | undefined,
): Promise<{ readonly linkId?: number }> =>
  ref === undefined ? {} : { linkId: (await findLink(db, ref)).id }
