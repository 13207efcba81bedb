import { expect, test } from 'vitest'
import { followAttempts } from '../../server/delivery/follow-attempts.ts'
import { aboutAccount } from '../../server/domain/events.ts'
import { openDatabase } from '../../server/store/database.ts'
import { Store } from '../../server/store/store.ts'

test('a reset takes the webhooks of its account that were there, and none that is queued after it', async () => {
  const database = await openDatabase(':memory:')
  await using _closing = { [Symbol.asyncDispose]: database.close }
  const store = new Store(
    database.db,
    () => new Date('2026-07-01T10:00:00Z'),
    (error) => expect.fail(String(error)),
  )
  const followed = followAttempts(store)
  const due = (id: number, accountId = 'mine') => ({ id, accountId, target: 'http://shop/', attempts: 1 })
  const queued = (deliveryId: number) => ({
    type: 'delivery.queued' as const,
    accountId: 'mine',
    linkId: 1001,
    deliveryId,
    payId: 1001,
    status: 'Success' as const,
    cause: 'outcome' as const,
    target: 'http://shop/',
    because: 'order',
    replayOf: null,
    assumed: [],
  })

  await store.transact(async ({ record }) => {
    await record(queued(3))
    await record({ type: 'account.reset', ...aboutAccount('mine'), name: 'mine' })
  })
  expect(followed.haveBeenMade([due(3)])).toBe(true)
  expect(followed.haveBeenMade([due(3, 'theirs')])).toBe(false)

  await store.transact(async ({ record }) => {
    await record(queued(5))
    await record(queued(6))
  })
  expect(followed.haveBeenMade([due(3)])).toBe(true)
  expect([5, 6].map((id) => followed.haveBeenMade([due(id)]))).toEqual([false, false])
})
