import { expect, test } from 'vitest'
import { noSubject } from '../../server/domain/links/subject.ts'
import type { EventType, SandboxEvent } from '../../server/domain/events/event.ts'
import { createJournalReader } from '../../server/control/waits/journal-reader.ts'
import * as events from '../../server/store/journal/events.ts'
import type { Store } from '../../server/store/store.ts'
import * as accounts from '../../server/store/repositories/accounts.ts'
import * as deliveries from '../../server/store/repositories/deliveries.ts'
import * as links from '../../server/store/repositories/links.ts'
import type { Delivery } from '../../server/domain/webhooks/delivery.ts'
import { deliveryStates } from '../../server/domain/webhooks/delivery-values.ts'
import { openStore } from '../support/open-store.ts'
import { newAccount, newDelivery, newLink } from '../support/store-rows.ts'

const COUNT = 2_000
const MANY = 20_000
const TYPES = ['api.request', 'link.created', 'link.paid', 'link.cancelled', 'refund.approved'] as const

/** A journal whose events come in every combination of type, account and link. It is longer than one slice. */
async function openJournal(count = COUNT) {
  const opened = await openStore()
  const { store } = opened
  await store.transact(async ({ record }) => {
    for (let number = 0; number < count; number++) {
      const type = number < count / 2 ? 'api.request' : TYPES[number % TYPES.length]!
      const accountId = ['one', 'two', null][number % 3]!
      const linkId = number % 7 === 0 ? number % 5 : null
      await record({ ...noSubject, type, accountId, linkId, message: `no ${number % 11}` } as SandboxEvent)
    }
  })
  const all = await events.list(store.db, {}, count)
  return { ...opened, db: store.db, all }
}

const typeLists: (readonly EventType[] | undefined)[] = [
  undefined,
  ['api.request'],
  ['link.paid'],
  ['link.paid', 'link.cancelled', 'refund.approved'],
  ['link.created', 'refund.approved'],
  ['refund.rejected', 'link.paid'],
  ['delivery.attempted'],
]

test('a list of events has exactly the matching events in sequence, whatever index is used', async () => {
  await using journal = await openJournal()
  const { db, all } = journal
  for (const types of typeLists) {
    for (const accountId of [undefined, 'two', 'nobody']) {
      for (const linkId of [undefined, 3]) {
        for (const contains of [undefined, ['"message":"no 4"']]) {
          for (const [after, before] of [
            [undefined, undefined],
            [700, undefined],
            [undefined, 1_300],
            [900, 1_100],
            [COUNT, undefined],
          ]) {
            const filter = JSON.parse(
              JSON.stringify({ types, accountId, linkId, contains, after, before }),
            ) as events.EventQuery
            const matching = all.filter(
              (event) =>
                (types?.includes(event.type) ?? true) &&
                [undefined, event.accountId].includes(accountId) &&
                [undefined, event.linkId].includes(linkId) &&
                (contains === undefined || ('message' in event && event.message === 'no 4')) &&
                event.seq > (after ?? 0) &&
                event.seq < (before ?? Infinity),
            )
            const seqs = matching.map(({ seq }) => seq)
            for (const limit of [3, COUNT]) {
              const seqsOf = async (list: typeof events.list): Promise<number[]> =>
                (await list(db, filter, limit)).map(({ seq }) => seq)
              expect([filter, await seqsOf(events.list)]).toEqual([filter, seqs.slice(0, limit)])
              expect([filter, await seqsOf(events.newest)]).toEqual([filter, seqs.slice(-limit)])
            }
            expect([filter, await events.count(db, filter)]).toEqual([filter, seqs.length])
          }
        }
      }
    }
  }
})

/** Deliveries of two links of two accounts, in every combination of account and state. */
async function openDeliveries(count: number) {
  const opened = await openStore()
  const { store } = opened
  const now = store.time().now
  const all: Delivery[] = []
  await store.transact(async ({ db }) => {
    const owners = ['one', 'two'].map((id) => newAccount(id))
    await accounts.insert(db, owners)
    const ownLinks = owners.map(({ id }, index) => newLink(id, 1_001 + index))
    for (const link of ownLinks) await links.insert(db, link)
    for (let number = 0; number < count; number++) {
      const state = deliveryStates[number % deliveryStates.length]!
      const queued = await deliveries.queue(db, newDelivery(ownLinks[number % 2]!), now)
      await deliveries.save(db, { ...queued, state })
      all.push({ ...queued, state })
    }
  })
  return { ...opened, db: store.db, all: all.toReversed() }
}

test('a list of deliveries has exactly the matching ones, newest first, and counts agree', async () => {
  await using opened = await openDeliveries(140)
  const { db, all } = opened
  const shown = { planned: 'pending', underway: 'pending', stored: 'delivered' } as Record<string, string>
  for (const accountId of [undefined, 'one', 'nobody']) {
    const own = all.filter((delivery) => [undefined, delivery.accountId].includes(accountId))
    for (const state of [undefined, 'pending', 'delivered', 'failed', 'held'] as const) {
      for (const linkId of [undefined, 1_001]) {
        for (const stored of [false, true]) {
          for (const before of [undefined, 71]) {
            const filter = JSON.parse(JSON.stringify({ accountId, state, linkId, stored, before }))
            const ids = own
              .filter(
                (delivery) => state === undefined || state === (shown[delivery.state] ?? delivery.state),
              )
              .filter((delivery) => linkId === undefined || linkId === delivery.linkId)
              .filter((delivery) => !stored || delivery.state === 'stored')
              .filter(({ id }) => before === undefined || id < before)
              .map(({ id }) => id)
            for (const limit of [3, 1_000]) {
              const found = (await deliveries.list(db, filter, limit)).map(({ id }) => id)
              expect([filter, found]).toEqual([filter, ids.slice(0, limit)])
            }
          }
        }
      }
    }
    const counts = Object.fromEntries(await deliveries.countByState(db, accountId))
    for (const state of deliveryStates)
      expect([accountId, state, counts[state] ?? 0]).toEqual([
        accountId,
        state,
        own.filter((delivery) => delivery.state === state).length,
      ])
  }
})

test.each<[what: string, read: (store: Store) => Promise<unknown>]>([
  [
    'a wait reads all events',
    async (store) => {
      const reader = createJournalReader(store, { after: 0 })
      while (!(await reader.nextPage()).isLast);
      reader.stop()
    },
  ],
  ['a list looks at all events', (store) => events.list(store.db, { types: ['delivery.attempted'] }, 1)],
  ['events are counted', (store) => events.count(store.db, { after: 1 })],
  ['events are listed by their start', (store) => events.listByStart(store.db, {})],
])('other work runs while %s', async (_what, read) => {
  await using journal = await openJournal(MANY)
  let isReading = true
  let turns = 0
  const other = (): void => {
    turns++
    if (isReading) setImmediate(other)
  }
  setImmediate(other)
  await read(journal.store)
  isReading = false

  expect(turns).toBeGreaterThan(1)
})
