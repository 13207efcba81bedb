import type { Kysely } from 'kysely'
import { z } from 'zod'
import { payIdOf } from '../domain/link-id.ts'
import type { Link } from '../domain/link.ts'
import * as links from '../store/links.ts'
import type { Database } from '../store/schema.ts'
import { notFound } from './problem.ts'

export const linkRef = z.string().meta({
  description: 'The link: its id, its `link_id`, or `pay:<pay_id>`.',
  examples: ['pay:1001'],
})

/** Finds the link that a reference names: by id, by `link_id`, or as `pay:<pay_id>`. */
export async function findLink(db: Kysely<Database>, ref: string): Promise<Link> {
  const link = await lookUp(db, ref)
  if (!link)
    throw notFound(
      `There is no payment link ${ref}. A link is named by its id, its link_id, or pay:<pay_id>.`,
    )
  return link
}

function lookUp(db: Kysely<Database>, ref: string): Promise<Link | undefined> {
  if (/^\d{1,15}$/.test(ref)) return links.find(db, Number(ref))
  const payId = /^pay:(\d{1,15})$/.exec(ref)?.[1]
  if (payId !== undefined) return links.withPayId(db, Number(payId))
  const decoded = payIdOf(ref)
  return decoded === undefined ? Promise.resolve(undefined) : links.withPayId(db, decoded)
}
