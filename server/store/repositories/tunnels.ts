import { sql, type Kysely } from 'kysely'
import { DEFAULT_TUNNEL_ANSWER, type TunnelAnswer } from '../../domain/network/tunnel.ts'
import { createRowCodec } from '../row-codec.ts'
import { limitBytes } from './limit-bytes.ts'
import type { Database } from '../schema.ts'

/** What a tunnel responds with if no listener is connected. */
export async function findAnswer(db: Kysely<Database>, name: string): Promise<TunnelAnswer> {
  return (await listAnswers(db, [name])).get(name) ?? DEFAULT_TUNNEL_ANSWER
}

/** The responses of tunnels, by name. Leaves out tunnels whose response was never set. */
export async function listAnswers(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Map<string, TunnelAnswer>> {
  const rows = await db.selectFrom('tunnel').selectAll().where('name', 'in', names).execute()
  return new Map(rows.map(({ name, ...answer }) => [name, fromRow(answer)]))
}

export async function saveAnswer(db: Kysely<Database>, name: string, answer: TunnelAnswer): Promise<void> {
  const row = { name, ...toRow(answer) }
  await db
    .insertInto('tunnel')
    .values(row)
    .onConflict((key) => key.column('name').doUpdateSet(row))
    .execute()
}

/** A page of tunnel names, in alphabetical order: the tunnels that have an answer, a captured request or a listener. */
export async function namesAfter(
  db: Kysely<Database>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly names: readonly string[]; readonly more: boolean }> {
  const known = db
    .selectFrom('tunnel')
    .select('name')
    .union(db.selectFrom('capturedRequest').select('tunnel as name'))
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
  const page = limitBytes(rows.slice(0, limit))
  return { names: page.map(({ name }) => name), more: page.length < rows.length }
}

const { toRow, fromRow } = createRowCodec<TunnelAnswer>({ headers: 'json' })
