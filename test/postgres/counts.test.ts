import { expect, test } from 'vitest'
import { deliveryStates } from '../../server/domain/webhooks/delivery-values.ts'
import * as accounts from '../../server/store/repositories/accounts.ts'
import * as deliveries from '../../server/store/repositories/deliveries.ts'
import * as links from '../../server/store/repositories/links.ts'
import { openStore } from '../support/open-store.ts'
import { newSchema } from '../support/postgres.ts'
import { newAccount, newDelivery, newLink } from '../support/store-rows.ts'

const COUNT = 350

/** PostgreSQL counts the parts of large tables in parallel. With these settings, it also does this for small ones. */
const PARALLEL = [
  'parallel_setup_cost=0',
  'parallel_tuple_cost=0',
  'min_parallel_table_scan_size=0',
  'min_parallel_index_scan_size=0',
]

test('deliveries are counted by state, even if PostgreSQL counts the states in parallel', async () => {
  await using schema = newSchema()
  const url = new URL(schema.url)
  const options = [url.searchParams.get('options') ?? '', ...PARALLEL.map((setting) => `-c ${setting}`)]
  url.searchParams.set('options', options.join(' ').trim())
  await using opened = await openStore({ file: url.href })
  const { store } = opened
  await store.transact(async ({ db, now }) => {
    await accounts.insert(db, [newAccount('one')])
    const link = newLink('one', 1_001)
    await links.insert(db, link)
    for (let number = 0; number < COUNT; number++) {
      const queued = await deliveries.queue(db, newDelivery(link), now)
      await deliveries.save(db, { ...queued, state: deliveryStates[number % deliveryStates.length]! })
    }
  })

  const expected = new Map<string, number>()
  for (let number = 0; number < COUNT; number++) {
    const state = deliveryStates[number % deliveryStates.length]!
    expected.set(state, (expected.get(state) ?? 0) + 1)
  }
  for (let time = 0; time < 20; time++)
    expect(await deliveries.countByState(store.db, undefined)).toEqual(expected)
})
