import type { Kysely } from 'kysely'
import type { Headers } from '../domain/exchange.ts'
import { CAPTURED, type TunnelAnswer } from '../domain/tunnel.ts'
import type { Database, TunnelTable } from './schema.ts'

/** What a tunnel answers where no listener does. */
export async function answerOf(db: Kysely<Database>, name: string): Promise<TunnelAnswer> {
  const row = await db.selectFrom('tunnel').selectAll().where('name', '=', name).executeTakeFirst()
  return row ? toAnswer(row) : CAPTURED
}

/** What tunnels answer that were told to. */
export async function answers(db: Kysely<Database>): Promise<Map<string, TunnelAnswer>> {
  const rows = await db.selectFrom('tunnel').selectAll().execute()
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

/** The names of the tunnels that anything is known of. */
export async function names(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('tunnel')
    .select('name')
    .union(db.selectFrom('capture').select('tunnel as name'))
    .union(db.selectFrom('listener').select('tunnel as name'))
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
