import type { Kysely } from 'kysely'
import type { ListenerKey } from './listeners.ts'
import type { Database, PendingRequestTable } from '../schema.ts'

/** Adds a request for a listener, unless it is already pending. */
export async function add(db: Kysely<Database>, row: PendingRequestTable): Promise<void> {
  await db
    .insertInto('pendingRequest')
    .values(row)
    .onConflict((key) => key.doNothing())
    .execute()
}

/** Makes the stored requests of a tunnel pending for a listener, beginning with a `seq`. */
export async function addSince(
  db: Kysely<Database>,
  { tunnel, id }: ListenerKey,
  since: number,
  connection: number,
): Promise<void> {
  const rows = await db
    .selectFrom('capturedRequest')
    .select('seq')
    .where('tunnel', '=', tunnel)
    .where('seq', '>=', since)
    .execute()
  for (const { seq } of rows) await add(db, { tunnel, listener: id, seq, connection })
}

/** A captured request that a listener has not answered. */
interface PendingRequest {
  readonly seq: number
  readonly path: string
  readonly size: number
  /** The number of the first connection on which the request may have been sent. */
  readonly connection: number
}

/** The requests after a `seq` that are pending for a listener, oldest first, and the current epoch. */
export async function list(
  db: Kysely<Database>,
  { tunnel, id }: ListenerKey,
  after: number,
): Promise<readonly (PendingRequest & { readonly epoch: string })[]> {
  const rows = await db
    .selectFrom('pendingRequest')
    .innerJoin('capturedRequest', 'capturedRequest.seq', 'pendingRequest.seq')
    .select((from) => [
      'pendingRequest.seq',
      'capturedRequest.path',
      'capturedRequest.size',
      'pendingRequest.connection',
      from.selectFrom('meta').select('value').where('key', '=', 'epoch').as('epoch'),
    ])
    .where('pendingRequest.tunnel', '=', tunnel)
    .where('pendingRequest.listener', '=', id)
    .where('pendingRequest.seq', '>', after)
    .orderBy('pendingRequest.seq')
    .execute()
  return rows.map((row) => ({ ...row, epoch: row.epoch ?? '' }))
}

/** How many requests are pending for each listener of these tunnels. */
export async function counts(
  db: Kysely<Database>,
  tunnels: readonly string[],
): Promise<readonly (ListenerKey & { readonly count: number })[]> {
  return db
    .selectFrom('pendingRequest')
    .select(({ fn }) => ['tunnel', 'listener as id', fn.countAll<number>().as('count')])
    .where('tunnel', 'in', tunnels)
    .groupBy(['tunnel', 'listener'])
    .execute()
}

export async function countFor(db: Kysely<Database>, { tunnel, id }: ListenerKey): Promise<number> {
  const { count } = await db
    .selectFrom('pendingRequest')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tunnel', '=', tunnel)
    .where('listener', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

/** How many requests up to a `seq` are pending for each listener of a tunnel. */
export async function countsUpTo(
  db: Kysely<Database>,
  tunnel: string,
  seq: number,
): Promise<readonly (ListenerKey & { readonly count: number })[]> {
  return db
    .selectFrom('pendingRequest')
    .select(({ fn }) => ['tunnel', 'listener as id', fn.countAll<number>().as('count')])
    .where('tunnel', '=', tunnel)
    .where('seq', '<=', seq)
    .groupBy(['tunnel', 'listener'])
    .orderBy('listener')
    .execute()
}

/** For each listener, the number of pending requests that concern an account. */
export async function countsForAccount(
  db: Kysely<Database>,
  accountId: string,
): Promise<readonly (ListenerKey & { readonly count: number })[]> {
  return db
    .selectFrom('pendingRequest')
    .innerJoin('event', 'event.seq', 'pendingRequest.seq')
    .select(({ fn }) => ['tunnel', 'listener as id', fn.countAll<number>().as('count')])
    .where('event.accountId', '=', accountId)
    .groupBy(['tunnel', 'listener'])
    .orderBy('tunnel')
    .orderBy('listener')
    .execute()
}

/** For each `seq`, the names of the listeners that have not received the request yet. */
export async function listenersOf(
  db: Kysely<Database>,
  seqs: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('pendingRequest')
    .select(['seq', 'listener'])
    .where('seq', 'in', seqs)
    .orderBy('listener')
    .execute()
  const found = new Map<number, string[]>()
  for (const { seq, listener } of rows) found.set(seq, [...(found.get(seq) ?? []), listener])
  return found
}

/** Removes a request that a listener answered. */
export async function remove(db: Kysely<Database>, { tunnel, id }: ListenerKey, seq: number): Promise<void> {
  await db
    .deleteFrom('pendingRequest')
    .where('tunnel', '=', tunnel)
    .where('listener', '=', id)
    .where('seq', '=', seq)
    .execute()
}
