import type { Kysely } from 'kysely'
import { nextMonth, berlinMonth, monthStart } from '../../domain/time/calendar.ts'
import type { MonthlyRevenue } from '../../domain/money/fees.ts'
import * as meta from '../meta.ts'
import type { Database } from '../schema.ts'

const FIRST = '1970-01'

/** The first month with payments and without invoices. It may not have ended yet. */
export async function firstUnbilled(db: Kysely<Database>): Promise<string | undefined> {
  const since = (await meta.read(db, 'unbilled')) ?? FIRST
  const { paidAt } = await db
    .selectFrom('link')
    .select(({ fn }) => fn.min('paidAt').as('paidAt'))
    .where('paidAt', '>=', monthStart(since))
    .executeTakeFirstOrThrow()
  return paidAt === null ? undefined : berlinMonth(paidAt)
}

/** Marks every month before this one as billed. */
export const markBilledBefore = (db: Kysely<Database>, month: string): Promise<void> =>
  meta.write(db, 'unbilled', month)

/** Marks a month as not billed. After the clock was set back, the month can get more payments, and ends a second time. */
export async function markUnbilled(db: Kysely<Database>, month: string): Promise<void> {
  const since = (await meta.read(db, 'unbilled')) ?? FIRST
  if (month < since) await markBilledBefore(db, month)
}

/** The payments of a month, by account and service fee. */
export async function listForMonth(
  db: Kysely<Database>,
  month: string,
): Promise<Map<string, MonthlyRevenue[]>> {
  const rows = await db
    .selectFrom('link')
    .select(({ fn }) => [
      'accountId',
      'serviceFee',
      fn.countAll<number>().as('payments'),
      fn.sum<number>('amount').as('volume'),
    ])
    .where('paidAt', '>=', monthStart(month))
    .where('paidAt', '<', monthStart(nextMonth(month)))
    .groupBy(['accountId', 'serviceFee'])
    .orderBy('accountId')
    .execute()
  const byAccount = new Map<string, MonthlyRevenue[]>()
  for (const { accountId, ...revenue } of rows) {
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), revenue])
  }
  return byAccount
}
