import type { Kysely } from 'kysely'
import { nextMonth, berlinMonth, monthStart } from '../../domain/time/calendar.ts'
import type { MonthlyRevenue } from '../../domain/money/fees.ts'
import * as meta from '../meta.ts'
import type { Database } from '../schema.ts'

const FIRST = '1970-01'

/** The first month with payments that has not been billed. It may not have ended yet. */
export async function firstUnbilled(db: Kysely<Database>): Promise<string | undefined> {
  const since = (await meta.read(db, 'unbilled')) ?? FIRST
  const { paidAt } = await db
    .selectFrom('link')
    .select(({ fn }) => fn.min('paidAt').as('paidAt'))
    .where('paidAt', '>=', monthStart(since))
    .executeTakeFirstOrThrow()
  return paidAt === null ? undefined : berlinMonth(paidAt)
}

/** Bills from this month on, and nothing before it. */
export const billFrom = (db: Kysely<Database>, month: string): Promise<void> =>
  meta.write(db, 'unbilled', month)

/** The clock was set: months from this one on may end once more, and get payments that are not billed. */
export async function reopen(db: Kysely<Database>, month: string): Promise<void> {
  const since = (await meta.read(db, 'unbilled')) ?? FIRST
  if (month < since) await billFrom(db, month)
}

/** What was paid in a month, for each account. */
export async function ofMonth(db: Kysely<Database>, month: string): Promise<Map<string, MonthlyRevenue[]>> {
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
  for (const { accountId, ...turnover } of rows) {
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), turnover])
  }
  return byAccount
}
