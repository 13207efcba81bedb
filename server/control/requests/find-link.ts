import type { Kysely } from 'kysely'
import { z } from 'zod'
import { extractLinkId, decodeLinkId } from '../../domain/links/link-id.ts'
import type { Link } from '../../domain/links/link.ts'
import * as links from '../../store/repositories/links.ts'
import type { Database } from '../../store/schema.ts'
import { notFound } from './problem.ts'

export const linkRef = z.string().meta({
  description: 'The link: its id, its `link_id`, `pay:<pay_id>`, or its pay link, percent-encoded.',
  examples: ['pay:1001'],
})

/** Finds the link that a reference names: by id, by `link_id`, as `pay:<pay_id>`, or by its pay link. */
export async function findLink(db: Kysely<Database>, ref: string): Promise<Link> {
  const link = await lookUp(db, ref)
  if (link) return link
  const other = await mistaken(db, ref)
  throw notFound(
    `There is no payment link ${ref}${other ?? '. A link is named by its id, its link_id, pay:<pay_id>, or its pay link'}.`,
  )
}

/** An id may have been taken for a `pay_id`, or the other way round. */
async function mistaken(db: Kysely<Database>, ref: string): Promise<string | undefined> {
  const [, pay, digits] = /^(pay:)?(\d{1,15})$/.exec(ref) ?? []
  if (digits === undefined) return undefined
  if (pay === undefined) {
    const isPayId = await links.withPayId(db, Number(digits))
    return isPayId && `, but link ${isPayId.id} has that pay_id: write pay:${digits}`
  }
  const isId = await links.find(db, Number(digits))
  return isId && `, but link ${digits} has that id: leave out pay:`
}

function lookUp(db: Kysely<Database>, ref: string): Promise<Link | undefined> {
  if (/^\d{1,15}$/.test(ref)) return links.find(db, Number(ref))
  const payId = /^pay:(\d{1,15})$/.exec(ref)?.[1]
  if (payId !== undefined) return links.withPayId(db, Number(payId))
  const decoded = decodeLinkId(extractLinkId(ref))
  return decoded === undefined ? Promise.resolve(undefined) : links.withPayId(db, decoded)
}
