import { expect, test } from 'vitest'
import { trackAttempts } from '../../server/service/clock/track-attempts.ts'
import { accountSubject } from '../../server/domain/links/subject.ts'
import { openStore } from '../support/open-store.ts'

const due = (id: number, accountId = 'mine', nextAttemptAt: string | null = null) => ({
  id,
  accountId,
  target: 'http://shop/',
  attempts: 1,
  nextAttemptAt,
})

const about = (deliveryId: number) => ({
  accountId: 'mine',
  linkId: 1001,
  deliveryId,
  payId: 1001,
  status: 'Success' as const,
  cause: 'outcome' as const,
  target: 'http://shop/',
  reason: 'order',
  replayOf: null,
})

test('a reset removes the webhooks of its account, but not webhooks that are queued later', async () => {
  await using opened = await openStore()
  const { store } = opened
  const tracker = trackAttempts(store)
  const queued = (deliveryId: number) => ({
    type: 'delivery.queued' as const,
    ...about(deliveryId),
    assumed: [],
  })

  await store.transact(async ({ record }) => {
    await record(queued(3))
    await record({ type: 'account.reset', ...accountSubject('mine'), name: 'mine' })
  })
  expect(tracker.areDone([due(3)])).toBe(true)
  expect(tracker.areDone([due(3, 'theirs')])).toBe(false)

  await store.transact(async ({ record }) => {
    await record(queued(5))
    await record(queued(6))
  })
  expect(tracker.areDone([due(3)])).toBe(true)
  expect([5, 6].map((id) => tracker.areDone([due(id)]))).toEqual([false, false])
})

test('a wait includes a postponed webhook only once it is due', async () => {
  await using opened = await openStore()
  const { store } = opened
  const tracker = trackAttempts(store)
  const later = '2026-07-01T11:00:00.000Z'
  await store.transact(({ record }) =>
    record({ type: 'delivery.delayed', ...about(3), nextAttemptAt: later }),
  )

  expect(tracker.areDone([due(3)])).toBe(true)
  expect(tracker.areDone([due(3, 'mine', '2026-07-01T10:00:00.000Z')])).toBe(true)
  expect(tracker.areDone([due(3, 'mine', later)])).toBe(false)
})
