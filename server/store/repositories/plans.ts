import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { isOver, type NotificationPlan } from '../../domain/webhooks/notification-plan.ts'
import { LIMIT_ONE, prepared } from '../prepared.ts'
import { createRowCodec } from '../row-codec.ts'
import type { Database } from '../schema.ts'
import { cached, changed } from '../writer-state.ts'

/** Stores the plan of an outcome. A link has only one outcome. */
export async function insert(
  db: Kysely<Database>,
  plan: Omit<NotificationPlan, 'id'>,
): Promise<NotificationPlan> {
  const inserted = { id: randomUUID(), ...plan }
  changed(db, 'plan')
  await db.insertInto('plan').values(toRow(inserted)).execute()
  return inserted
}

/** Saves the remaining steps of a plan, or removes the plan if none remain. */
export async function save(db: Kysely<Database>, plan: NotificationPlan): Promise<void> {
  const { linkId, steps, awaitsResponse, afterRefund } = toRow(plan)
  changed(db, 'plan')
  await (isOver(plan)
    ? db.deleteFrom('plan').where('linkId', '=', linkId).execute()
    : db
        .updateTable('plan')
        .set({ steps, awaitsResponse, afterRefund })
        .where('linkId', '=', linkId)
        .execute())
}

export async function find(db: Kysely<Database>, linkId: number): Promise<NotificationPlan | undefined> {
  const [row] = (await ofLink(db, { linkId })).rows
  return row && fromRow(row)
}

const ofLink = prepared((db, { linkId }: { linkId: number }) =>
  db.selectFrom('plan').selectAll().where('linkId', '=', linkId),
)

/** Cached, because every payment calls this, and usually there is no plan. */
export const isAny = cached(
  'plan',
  async (db): Promise<boolean> =>
    (await db.selectFrom('plan').select('linkId').limit(LIMIT_ONE).executeTakeFirst()) !== undefined,
)

export async function list(db: Kysely<Database>): Promise<NotificationPlan[]> {
  return (await db.selectFrom('plan').selectAll().orderBy('linkId').execute()).map(fromRow)
}

const { toRow, fromRow } = createRowCodec<NotificationPlan>({
  steps: 'json',
  awaitsResponse: 'boolean',
  redirect: 'json',
  afterRefund: 'json',
})
