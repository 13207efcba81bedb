import { setImmediate as otherWork } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import * as deliveries from '../repositories/deliveries.ts'
import type { Database } from '../schema.ts'
import * as events from './events.ts'

/** The number of rows in each of the main tables. */
export async function countAll(db: Kysely<Database>) {
  const count = async (table: 'account' | 'link' | 'refund' | 'invoice'): Promise<number> => {
    const { number } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('number'))
      .executeTakeFirstOrThrow()
    // Lets other work run, because each count takes milliseconds in a large database.
    await otherWork()
    return Number(number)
  }
  return {
    accounts: await count('account'),
    links: await count('link'),
    refunds: await count('refund'),
    invoices: await count('invoice'),
    deliveries: await deliveries.countAll(db),
    events: await events.countAll(db),
  }
}
