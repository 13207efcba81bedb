import { sql, type Kysely } from 'kysely'
import type { Headers } from '../../domain/http/exchange.ts'
import { DEFAULT_TUNNEL_ANSWER, type TunnelAnswer } from '../../domain/network/tunnel.ts'
import { limitBytes } from './limit-bytes.ts'
import type { Database, TunnelTable } from '../schema.ts'

/** What a tunnel answers where no listener does. */
export async function findAnswer(db: Kysely<Database>, name: string): Promise<TunnelAnswer> {
  const row = await db.selectFrom('tunnel').selectAll().where('name', '=', name).executeTakeFirst()
  return row ? toAnswer(row) : DEFAULT_TUNNEL_ANSWER
}

/** What those of some tunnels answer that were told to. */
export async function listAnswers(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Map<string, TunnelAnswer>> {
  const rows = await db.selectFrom('tunnel').selectAll().where('name', 'in', names).execute()
  return new Map(rows.map((row) => [row.name, toAnswer(row)]))
}

const toAnswer = ({ status, headers, body, delayMs }: TunnelTable): TunnelAnswer => ({
  status,
  headers: JSON.parse(headers) as Headers,
  body,
  delayMs,
})

export async function saveAnswer(db: Kysely<Database>, name: string, answer: TunnelAnswer): Promise<void> {
  const row = { name, ...answer, headers: JSON.stringify(answer.headers) }
  await db
    .insertInto('tunnel')
    .values(row)
    .onConflict((key) => key.column('name').doUpdateSet(row))
    .execute()
}

/** The names of the tunnels that anything is known of, by the alphabet, as many as one page holds. */
export async function namesAfter(
  db: Kysely<Database>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly names: readonly string[]; readonly more: boolean }> {
  const known = db
    .selectFrom('tunnel')
    .select('name')
    .union(db.selectFrom('capture').select('tunnel as name'))
    .union(db.selectFrom('listener').select('tunnel as name'))
    .as('known')
  const rows = await db
    .selectFrom(known)
    .leftJoin('tunnel', 'tunnel.name', 'known.name')
    .select(['known.name', sql<number>`coalesce(length("tunnel"."body"), 0)`.as('size')])
    .where('known.name', '>', after)
    .orderBy('known.name')
    .limit(limit + 1)
    .execute()
  const held = limitBytes(rows.slice(0, limit))
  return { names: held.map(({ name }) => name), more: held.length < rows.length }
}
