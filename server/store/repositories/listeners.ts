import type { Kysely } from 'kysely'
import type { Listener } from '../../domain/network/tunnel.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import type { Database } from '../schema.ts'

/** Identifies a listener. `id` is its name. */
export type ListenerKey = Pick<Listener, 'tunnel' | 'id'>

/** The known listeners, of all tunnels or of those with these names. */
export function list(db: Kysely<Database>, tunnels?: readonly string[]): Promise<Listener[]> {
  const query = db.selectFrom('listener').selectAll().orderBy('tunnel').orderBy('id')
  return (tunnels === undefined ? query : query.where('tunnel', 'in', tunnels)).execute()
}

export const find = (db: Kysely<Database>, { tunnel, id }: ListenerKey): Promise<Listener | undefined> =>
  db.selectFrom('listener').selectAll().where('tunnel', '=', tunnel).where('id', '=', id).executeTakeFirst()

export async function save(db: Kysely<Database>, listener: Listener): Promise<void> {
  await db
    .insertInto('listener')
    .values(listener)
    .onConflict((key) => key.columns(['tunnel', 'id']).doUpdateSet(listener))
    .execute()
}

/** Removes a listener and its pending requests. */
export async function remove(db: Kysely<Database>, { tunnel, id }: ListenerKey): Promise<void> {
  await db.deleteFrom('listener').where('tunnel', '=', tunnel).where('id', '=', id).execute()
}

/** The listeners that have been disconnected since before `time`, according to the system clock. */
export const listDisconnectedBefore = (db: Kysely<Database>, time: Instant): Promise<Listener[]> =>
  db.selectFrom('listener').selectAll().where('awaySince', '<', time).execute()
