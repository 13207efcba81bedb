import { sql, type Kysely, type Selectable } from 'kysely'
import { sharedIdRange, type IdRange } from '../../domain/links/id-range.ts'
import type { Link, LinkStatus } from '../../domain/links/link.ts'
import type { Instant } from '../../domain/time/time.ts'
import { prepared, ONE, type Params } from '../sqlite/prepared.ts'
import * as meta from '../meta.ts'
import type { Database, LinkTable } from '../schema.ts'

/**
 * The newest id within a range, one that a reset of an account took from the shared range included. Ids are counted up
 * one by one, so that they are the same every time.
 */
export async function newestId(db: Kysely<Database>, range: IdRange): Promise<number | undefined> {
  const { rows } = await newestWithin(db, range)
  const newest = rows[0]?.newest
  const swept = range.first === sharedIdRange.first ? await meta.read(db, 'sweptLinks') : undefined
  const known = [newest, swept].filter((id) => id !== null && id !== undefined).map(Number)
  return known.length === 0 ? undefined : Math.max(...known)
}

const newestWithin = prepared((db, place: Params<IdRange>) =>
  db
    .selectFrom('link')
    .select(({ fn }) => fn.max('id').as('newest'))
    .where('id', '>=', place('first'))
    .where('id', '<=', place('last')),
)

/** Says whether it did: another link may have the id or the `pay_id`. */
export async function insert(db: Kysely<Database>, link: Link): Promise<boolean> {
  const { numAffectedRows } = await insertRow(db, toRow(link))
  return numAffectedRows === 1n
}

const insertRow = prepared((db, place: Params<LinkTable>) =>
  db
    .insertInto('link')
    .values({
      id: place('id'),
      payId: place('payId'),
      accountId: place('accountId'),
      amount: place('amount'),
      note: place('note'),
      status: place('status'),
      kind: place('kind'),
      splitType: place('splitType'),
      recipients: place('recipients'),
      cancellable: place('cancellable'),
      isQrLink: place('isQrLink'),
      bankTransfer: place('bankTransfer'),
      bankStatementDescription: place('bankStatementDescription'),
      serviceFee: place('serviceFee'),
      callbackUrl: place('callbackUrl'),
      paymentEndpoint: place('paymentEndpoint'),
      targets: place('targets'),
      paidBy: place('paidBy'),
      paidAt: place('paidAt'),
      dispute: place('dispute'),
      createdAt: place('createdAt'),
    })
    .onConflict((conflict) => conflict.doNothing()),
)

export async function save(db: Kysely<Database>, link: Link): Promise<void> {
  await update(db, link)
}

type ChangingColumn = 'status' | 'paidBy' | 'paidAt' | 'dispute'

const update = prepared((db, place: Params<Pick<Link, 'id' | ChangingColumn>>) =>
  db
    .updateTable('link')
    .set({
      status: place('status'),
      paidBy: place('paidBy'),
      paidAt: place('paidAt'),
      dispute: place('dispute'),
    })
    .where('id', '=', place('id')),
)

export async function find(db: Kysely<Database>, id: number): Promise<Link | undefined> {
  const row = (await byId(db, { id })).rows[0]
  return row && toLink(row)
}

const byId = prepared((db, place: Params<{ id: number }>) =>
  db.selectFrom('link').selectAll().where('id', '=', place('id')),
)

export async function withPayId(db: Kysely<Database>, payId: number): Promise<Link | undefined> {
  const row = (await byPayId(db, { payId })).rows[0]
  return row && toLink(row)
}

const byPayId = prepared((db, place: Params<{ payId: number }>) =>
  db.selectFrom('link').selectAll().where('payId', '=', place('payId')),
)

/** The links with these ids, in no order. */
export async function listByIds(db: Kysely<Database>, ids: readonly number[]): Promise<Link[]> {
  const rows = await db.selectFrom('link').selectAll().where('id', 'in', ids).execute()
  return rows.map(toLink)
}

export interface LinkFilter {
  readonly accountId?: string
  readonly status?: LinkStatus
  /** Only links with a smaller id, for the next page. */
  readonly before?: number
}

/** Links, newest first. */
export async function list(
  db: Kysely<Database>,
  { accountId, status, before }: LinkFilter,
  limit: number,
): Promise<Link[]> {
  let query = db.selectFrom('link').selectAll()
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  // The sign keeps SQLite from going by the index of statuses, where that of accounts is at hand.
  if (status !== undefined)
    query = query.where(accountId === undefined ? 'status' : sql<LinkStatus>`+"status"`, '=', status)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toLink)
}

/** The link that its account made right before another, where it is the same order and younger than `since`. */
export async function twinBefore(
  db: Kysely<Database>,
  link: Link,
  since: Instant,
): Promise<number | undefined> {
  const { rows } = await sameBefore(db, { since, ...toRow(link) })
  return rows[0]?.id
}

const sameBefore = prepared((db, place: Params<LinkTable & { since: Instant }>) =>
  db
    .selectFrom('link')
    .select('id')
    .where('id', '=', (before) =>
      before
        .selectFrom('link')
        .select('id')
        .where('accountId', '=', place('accountId'))
        .where('id', '<', place('id'))
        .orderBy('id', 'desc')
        .limit(ONE),
    )
    .where('createdAt', '>', place('since'))
    .where('amount', '=', place('amount'))
    .where('note', '=', place('note'))
    .where('recipients', '=', place('recipients'))
    .where('targets', '=', place('targets'))
    .where('callbackUrl', '=', place('callbackUrl')),
)

/** Whether an account owns links. */
export async function isOwner(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('link')
    .select('id')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an account receives a share of a link. */
export async function isRecipient(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('link')
    .select('id')
    .where('recipients', 'like', `%"accountId":${JSON.stringify(accountId)}%`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes the links of an account, on which nothing may stand any more. */
export async function removeOf(db: Kysely<Database>, accountId: string): Promise<void> {
  const newest = await newestId(db, sharedIdRange)
  const removed = await db.deleteFrom('link').where('accountId', '=', accountId).returning('id').execute()
  const isShared = removed.some(({ id }) => id >= sharedIdRange.first && id <= sharedIdRange.last)
  if (isShared) await meta.write(db, 'sweptLinks', String(newest))
}

/** The ids of the accounts that have a share of an account's links. */
export async function recipientsOf(db: Kysely<Database>, accountId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct json_extract(recipient.value, '$.accountId') as id
    from link, json_each(link.recipients) as recipient where link."accountId" = ${accountId}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

const toRow = (link: Link): LinkTable => ({
  ...link,
  recipients: JSON.stringify(link.recipients),
  targets: JSON.stringify(link.targets),
  cancellable: link.cancellable ? 1 : 0,
  isQrLink: link.isQrLink ? 1 : 0,
  bankTransfer: link.bankTransfer ? 1 : 0,
})

const toLink = (row: Selectable<LinkTable>): Link => ({
  ...row,
  recipients: JSON.parse(row.recipients),
  targets: JSON.parse(row.targets),
  cancellable: row.cancellable === 1,
  isQrLink: row.isQrLink === 1,
  bankTransfer: row.bankTransfer === 1,
})
