import type { Kysely } from 'kysely'
import type { ListenerKey } from './listeners.ts'
import type { Database, WaitingTable } from '../schema.ts'

/** Has a request wait for a listener, unless it does. */
export async function add(db: Kysely<Database>, row: WaitingTable): Promise<void> {
  await db
    .insertInto('waiting')
    .values(row)
    .onConflict((key) => key.doNothing())
    .execute()
}

/** Has what is kept of a tunnel from a `seq` on wait for a listener. */
export async function addSince(
  db: Kysely<Database>,
  { tunnel, id }: ListenerKey,
  since: number,
  connection: number,
): Promise<void> {
  const rows = await db
    .selectFrom('capture')
    .select('seq')
    .where('tunnel', '=', tunnel)
    .where('seq', '>=', since)
    .execute()
  for (const { seq } of rows) await add(db, { tunnel, listener: id, seq, connection })
}

/** A request that waits for a listener. */
export interface PendingRequest {
  readonly seq: number
  readonly lane: string
  readonly size: number
  /** The first connection by which it may have been sent. */
  readonly connection: number
}

/** What waits for a listener after a `seq`, oldest first, with the life of the journal that it is of. */
export async function list(
  db: Kysely<Database>,
  { tunnel, id }: ListenerKey,
  after: number,
): Promise<readonly (PendingRequest & { readonly epoch: string })[]> {
  const rows = await db
    .selectFrom('waiting')
    .innerJoin('capture', 'capture.seq', 'waiting.seq')
    .select((from) => [
      'waiting.seq',
      'capture.lane',
      'capture.size',
      'waiting.connection',
      from.selectFrom('meta').select('value').where('key', '=', 'epoch').as('epoch'),
    ])
    .where('waiting.tunnel', '=', tunnel)
    .where('waiting.listener', '=', id)
    .where('waiting.seq', '>', after)
    .orderBy('waiting.seq')
    .execute()
  return rows.map((row) => ({ ...row, epoch: row.epoch ?? '' }))
}

/** How many requests wait for each listener of some tunnels. */
export async function counts(
  db: Kysely<Database>,
  tunnels: readonly string[],
): Promise<readonly (ListenerKey & { readonly count: number })[]> {
  return db
    .selectFrom('waiting')
    .select(({ fn }) => ['tunnel', 'listener as id', fn.countAll<number>().as('count')])
    .where('tunnel', 'in', tunnels)
    .groupBy(['tunnel', 'listener'])
    .execute()
}

export async function countFor(db: Kysely<Database>, { tunnel, id }: ListenerKey): Promise<number> {
  const { count } = await db
    .selectFrom('waiting')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tunnel', '=', tunnel)
    .where('listener', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

/** How many requests up to a `seq` wait for each listener of a tunnel. */
export async function countsUpTo(
  db: Kysely<Database>,
  tunnel: string,
  seq: number,
): Promise<readonly (ListenerKey & { readonly count: number })[]> {
  return db
    .selectFrom('waiting')
    .select(({ fn }) => ['tunnel', 'listener as id', fn.countAll<number>().as('count')])
    .where('tunnel', '=', tunnel)
    .where('seq', '<=', seq)
    .groupBy(['tunnel', 'listener'])
    .orderBy('listener')
    .execute()
}

/** How many requests that are about an account wait for each listener. */
export async function countsForAccount(
  db: Kysely<Database>,
  accountId: string,
): Promise<readonly (ListenerKey & { readonly count: number })[]> {
  return db
    .selectFrom('waiting')
    .innerJoin('event', 'event.seq', 'waiting.seq')
    .select(({ fn }) => ['tunnel', 'listener as id', fn.countAll<number>().as('count')])
    .where('event.accountId', '=', accountId)
    .groupBy(['tunnel', 'listener'])
    .orderBy('tunnel')
    .orderBy('listener')
    .execute()
}

/** The listeners of a tunnel that some requests wait for. */
export async function listenersOf(
  db: Kysely<Database>,
  seqs: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('waiting')
    .select(['seq', 'listener'])
    .where('seq', 'in', seqs)
    .orderBy('listener')
    .execute()
  const found = new Map<number, string[]>()
  for (const { seq, listener } of rows) found.set(seq, [...(found.get(seq) ?? []), listener])
  return found
}

/** Lets go of what a listener has acknowledged. Gives the connection by which it may first have been sent. */
export async function remove(
  db: Kysely<Database>,
  { tunnel, id }: ListenerKey,
  seq: number,
): Promise<number | undefined> {
  const row = await db
    .deleteFrom('waiting')
    .where('tunnel', '=', tunnel)
    .where('listener', '=', id)
    .where('seq', '=', seq)
    .returning('connection')
    .executeTakeFirst()
  return row?.connection
}
