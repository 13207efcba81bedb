import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Link } from '../../server/domain/links/link.ts'
import { linkSubject, noSubject } from '../../server/domain/links/subject.ts'
import * as events from '../../server/store/journal/events.ts'
import * as accounts from '../../server/store/repositories/accounts.ts'
import * as deliveries from '../../server/store/repositories/deliveries.ts'
import * as links from '../../server/store/repositories/links.ts'
import { createRetention } from '../../server/store/retention.ts'
import { openStore } from '../support/open-store.ts'
import { newAccount, newDelivery, newLink } from '../support/store-rows.ts'

test('requests are read between deletions of 500 events', async () => {
  const problems: unknown[] = []
  const onError = (error: unknown) => void problems.push(error)
  const { store, close } = await openStore({ onError })
  await store.transact(async ({ record }) => {
    for (let event = 0; event < 5_000; event++) {
      await record({ type: 'sandbox.started', ...noSubject, version: '1.0.0' })
    }
  })

  const retention = createRetention(store, { keep: 100, isInMemory: false }, onError)
  const counts = [5_000]
  while (counts.at(-1)! > 105) {
    // Node reads from sockets in between.
    await promisify(setImmediate)()
    counts.push(await events.count(store.db, {}))
  }
  const taken = counts.slice(1).map((count, index) => counts[index]! - count)
  expect(Math.max(...taken)).toBe(500)
  expect(counts.at(-1)).toBe(100)
  await retention.stop()
  await close()
  expect(problems).toEqual([])
})

test('events that are recorded while others are deleted do not raise the limit', async () => {
  const problems: unknown[] = []
  const onError = (error: unknown) => void problems.push(error)
  const { store, close } = await openStore({ onError })
  const record = (number: number) =>
    store.transact(async (work) => {
      for (let event = 0; event < number; event++) {
        await work.record({ type: 'sandbox.started', ...noSubject, version: '1.0.0' })
      }
    })
  await record(5_000)

  const retention = createRetention(store, { keep: 100, isInMemory: false }, onError)
  // Each runs between two of the ten steps of the removal.
  for (let burst = 0; burst < 10; burst++) await record(40)
  const most = 105
  await expect.poll(() => events.count(store.db, {})).toBeLessThanOrEqual(most)
  await record(200)
  await expect.poll(() => events.count(store.db, {})).toBeLessThanOrEqual(most)

  await retention.stop()
  expect(await events.count(store.db, {})).toBeGreaterThanOrEqual(100)
  await close()
  expect(problems).toEqual([])
})

test('events that are deleted during a count, with their account, are subtracted once', async () => {
  const problems: unknown[] = []
  const onError = (error: unknown) => void problems.push(error)
  // The next commit is requested a varying number of microtasks later, so that it falls between any two
  // steps of the count.
  for (let turns = 0; turns < 20; turns++) {
    const { store, close } = await openStore({ onError })
    const retention = createRetention(store, { keep: 20, isInMemory: false }, onError)
    await store.transact(async ({ record }) => {
      for (let event = 0; event < 60; event++) {
        const about = { ...noSubject, accountId: event < 40 ? 'a' : 'b' }
        await record({ type: 'sandbox.started', ...about, version: '1.0.0' })
      }
    })
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    await store.transact((work) => events.deleteOlder(work.db, 'a'))
    // The deletions run between these commits.
    for (let commit = 0; commit < 5; commit++) await store.transact(async () => {})
    await retention.stop()
    const left = {
      newest: (await events.newest(store.db, {}, 1))[0]?.seq,
      kept: await events.count(store.db, {}),
    }
    expect({ turns, ...left, isEnough: left.kept >= 20 }).toEqual({
      turns,
      ...left,
      newest: 60,
      isEnough: true,
    })
    await close()
  }
  expect(problems).toEqual([])
})

test.each([
  [true, [1_002, 1_039, 1_040]],
  [false, Array.from({ length: 40 }, (_, index) => 1_001 + index)],
])('links without events are removed if the database is in memory (%s)', async (isInMemory, left) => {
  const problems: unknown[] = []
  const onError = (error: unknown) => void problems.push(error)
  const { store, close } = await openStore({ onError })
  await store.transact(async ({ db, record, now }) => {
    await accounts.insert(db, [newAccount('shop')])
    for (let id = 1_001; id <= 1_040; id++) {
      const link = { ...newLink('shop', id), ...(id === 1_002 && { status: 'paid', paidAt: now }) } as Link
      await links.insert(db, link)
      await record({ type: 'link.created', ...linkSubject(link), link })
    }
    const [link] = await links.listByIds(db, [1_003])
    const { id } = await deliveries.queue(db, newDelivery(link!), now)
    await deliveries.save(db, { ...(await deliveries.find(db, id))!, state: 'delivered' })
  })

  const retention = createRetention(store, { keep: 2, isInMemory }, onError)
  await expect.poll(async () => [problems, await events.count(store.db, {})]).toEqual([[], 2])
  await retention.stop()
  const ids = (await links.list(store.db, {}, 100)).map(({ id }) => id).toSorted()
  expect(ids).toEqual(left)
  expect(await deliveries.list(store.db, {}, 10)).toHaveLength(isInMemory ? 0 : 1)
  const next = await store.transact(({ db, now }) =>
    deliveries.queue(db, newDelivery(newLink('shop', 1_040)), now),
  )
  expect(next.id).toBe(2)
  await close()
  expect(problems).toEqual([])
})
