import { sql } from 'kysely'
import { expect } from 'vitest'
import { createDispatcher } from '../../../server/service/webhooks/dispatcher.ts'
import type { EgressPolicy } from '../../../server/service/egress/egress-policy.ts'
import { createPost } from '../../../server/service/egress/post.ts'
import { noSubject } from '../../../server/domain/links/subject.ts'
import { changeEgressRules } from '../../../server/service/operations/settings/change-egress-rules.ts'
import { payLink } from '../../../server/service/operations/links/pay-link.ts'
import { initializeIfNew } from '../../../server/service/operations/state/reset.ts'
import { withStableIdentities } from '../../../server/service/operations/accounts/draft-account.ts'
import { readSeed } from '../../../server/runtime/config/seed-file.ts'
import { openDatabase } from '../../../server/store/open-database.ts'
import * as deliveries from '../../../server/store/repositories/deliveries.ts'
import * as links from '../../../server/store/repositories/links.ts'
import * as egressRules from '../../../server/store/repositories/egress-rules.ts'
import { Store } from '../../../server/store/store.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

/** A store with some links to a target, the first of which is 1001. */
async function openStore(
  target: string,
  onError: (error: unknown) => void,
  { links: count = 1, ...changes }: { links?: number; commitsWaitForDisk?: boolean } = {},
) {
  const database = { ...(await openDatabase(':memory:')), ...changes }
  const store = new Store(database, () => new Date(), onError)
  const link = { account: 'Shop', amount: 5, paymentEndpoint: target }
  const seed = withStableIdentities(
    readSeed({ accounts: [{ name: 'Shop' }], links: Array.from({ length: count }, () => link) }),
  )
  await store.transact((work) =>
    initializeIfNew(work, { seed, behaviors: {}, egressRules: { maps: [], allowedHosts: [] } }),
  )
  return { database, store }
}

/** Pays the first links in one commit. */
const payFirst = (store: Store, count = 1) =>
  store.transact(async (work) => {
    for (let id = 1001; id < 1001 + count; id++) {
      const link = await links.find(work.db, id)
      await payLink(work, link!, { method: 'card', browser: 'closes', entryPoint: 'control' })
    }
  })

const SEND = { verdict: 'send', addresses: [{ address: '127.0.0.1', family: 4 }] } as const

/** A dispatcher that sends webhooks to every target, unless the options say otherwise. */
function openDispatcher(
  store: Store,
  options: Pick<Parameters<typeof createDispatcher>[1], 'onError'> &
    Partial<Pick<Parameters<typeof createDispatcher>[1], 'checkEgress'>> & {
      /** The duration that the result of each attempt contains. */
      readonly ms?: number
    },
) {
  const poster = createPost({ timeoutMs: 5_000, userAgent: 'test' })
  const { ms } = options
  const dispatcher = createDispatcher(store, {
    checkEgress: async () => SEND,
    post: async (...args) => ({ ...(await poster.post(...args)), ...(ms !== undefined && { ms }) }),
    addressOf: (target) => new URL(target),
    ownPath: () => null,
    isInContainer: false,
    ...options,
  })
  const close = async (): Promise<void> => {
    await dispatcher.stop(0)
    await poster.close()
  }
  return { dispatcher, close }
}

test('a new map also applies to a webhook that is being checked', async ({ receiver }) => {
  const problems: unknown[] = []
  const onError = (error: unknown) => problems.push(error)
  const { database, store } = await openStore('https://shop.invalid/hook', onError)
  const map = { from: 'https://shop.invalid', to: receiver.origin }
  /** The first check of the target ends after the map was added, and the map finds no held webhook. */
  const guard: EgressPolicy = async (url) => {
    if (url.hostname !== 'shop.invalid') return SEND
    expect(await store.transact((work) => changeEgressRules(work, () => ({ maps: [map] })))).toEqual([])
    return { verdict: 'hold', host: 'shop.invalid', hostScope: 'public' }
  }
  const { dispatcher, close } = openDispatcher(store, { checkEgress: guard, onError })
  await payFirst(store)
  await dispatcher.settled()

  expect(await deliveries.list(store.db, {}, 10)).toMatchObject([{ state: 'delivered' }])
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(await egressRules.maps(store.db)).toEqual([map])
  expect(problems).toEqual([])
  await close()
  await database.close()
})

test('the commit of a payment also marks its webhook as being sent', async ({ receiver }) => {
  const problems: unknown[] = []
  const onError = (error: unknown) => problems.push(error)
  const { database, store } = await openStore(receiver.url, onError)
  const { dispatcher, close } = openDispatcher(store, { onError })
  const states: string[] = []
  store.eventBus.subscribe((recorded) => {
    const last = recorded.at(-1)?.type
    void deliveries.find(store.db, 1).then((delivery) => states.push(`${last}: ${delivery?.state}`))
  })
  await payFirst(store)
  await dispatcher.settled()

  expect(states).toEqual(['delivery.queued: underway', 'delivery.attempted: delivered'])
  expect(await deliveries.list(store.db, {}, 10)).toMatchObject([
    { state: 'delivered', attempts: 1, possibleDuplicate: false },
  ])
  expect(problems).toEqual([])
  await close()
  await database.close()
})

test('restored webhooks are sent once the database can be read again', async ({ receiver }) => {
  const problems: unknown[] = []
  const { database, store } = await openStore(receiver.url, (error) => problems.push(error))
  await payFirst(store)
  /** This subscriber gets the event about the snapshot before the dispatcher. */
  const unsubscribe = store.eventBus.subscribe(
    () => void sql`alter table delivery rename to mislaid`.execute(store.db),
  )
  const { dispatcher, close } = openDispatcher(store, {
    onError(error) {
      problems.push(error)
      unsubscribe()
      void sql`alter table mislaid rename to delivery`.execute(store.db)
    },
  })
  await store.transact(({ record }) =>
    record({ type: 'sandbox.restored', ...noSubject, snapshot: 'a', undo: false }),
  )

  await receiver.count(1)
  await dispatcher.settled()
  expect(await deliveries.list(store.db, {}, 10)).toMatchObject([{ state: 'delivered' }])
  expect(problems).toMatchObject([{ message: expect.stringContaining('no such table: delivery') }])
  await close()
  await database.close()
})

/** How many deliveries are underway. */
const countUnderway = async (store: Store): Promise<number> =>
  (await deliveries.list(store.db, {}, 100)).filter(({ state }) => state === 'underway').length

test.for<[when: string, commitsWaitForDisk: boolean, ms: number, most: number]>([
  ['commits do not wait for the disk', false, 1, 1],
  ['the target answers slowly', true, 1_000, 1],
  ['commits wait for the disk, and the target answers quickly', true, 1, 4],
])(
  'if %s, a limited number of webhooks to a target is underway',
  async ([, commitsWaitForDisk, ms, most]) => {
    const counts: Promise<number>[] = []
    const bodies: string[] = []
    await using receiver = await startReceiver(({ body }, response) => {
      bodies.push(body)
      const counting = countUnderway(store)
      counts.push(counting)
      void counting.then(() => response.end())
    })
    const problems: unknown[] = []
    const onError = (error: unknown) => problems.push(error)
    const { database, store } = await openStore(receiver.url, onError, { links: 30, commitsWaitForDisk })
    const { dispatcher, close } = openDispatcher(store, { onError, ms })
    await payFirst(store, 30)
    await dispatcher.settled()

    expect(Math.max(...(await Promise.all(counts)))).toBe(most)
    const sent = (await deliveries.list(store.db, {}, 100)).toReversed()
    expect(bodies).toEqual(sent.map(({ body }) => body))
    expect(sent.filter(({ state }) => state === 'delivered')).toHaveLength(30)
    expect(sent.filter(({ possibleDuplicate }) => possibleDuplicate)).toEqual([])
    expect(problems).toEqual([])
    await close()
    await database.close()
  },
)

test('after a stop, only the webhook that was sent is a possible duplicate', async () => {
  const problems: unknown[] = []
  const onError = (error: unknown) => problems.push(error)
  await using receiver = await startReceiver((_received, response) => {
    if (receiver.received.length !== 10) response.end()
  })
  const { database, store } = await openStore(receiver.url, onError, { links: 30, commitsWaitForDisk: true })
  const first = openDispatcher(store, { onError, ms: 1 })
  await payFirst(store, 30)
  await receiver.count(10)
  await first.close()
  expect(await countUnderway(store)).toBe(1)

  const second = openDispatcher(store, { onError, ms: 1 })
  await second.dispatcher.start()
  await second.dispatcher.settled()
  const sent = (await deliveries.list(store.db, {}, 100)).toReversed()
  expect(sent.filter(({ possibleDuplicate }) => possibleDuplicate).map(({ id }) => id)).toEqual([10])
  expect(receiver.received.map(({ body }) => body)).toEqual(
    sent.flatMap(({ body, id }) => (id === 10 ? [body, body] : body)),
  )
  expect(problems).toEqual([])
  await second.close()
  await database.close()
})

test('if another process will send the rest, the running attempt is recorded, and no other begins', async () => {
  const problems: unknown[] = []
  const onError = (error: unknown) => problems.push(error)
  let answer!: () => void
  const isStopping = new Promise<void>((resolve) => (answer = resolve))
  await using receiver = await startReceiver((_received, response) => {
    void isStopping.then(() => response.end())
  })
  const { database, store } = await openStore(receiver.url, onError, { links: 30, commitsWaitForDisk: true })
  const first = openDispatcher(store, { onError, ms: 1 })
  await payFirst(store, 30)
  await receiver.count(1)
  const finished = first.dispatcher.finish(60_000)
  answer()
  await finished

  const states = (await deliveries.list(store.db, {}, 100)).toReversed().map(({ state }) => state)
  expect(states).toEqual(['delivered', ...Array.from({ length: 29 }, () => 'pending')])
  expect(receiver.received).toHaveLength(1)
  await first.close()
  await database.close()
  expect(problems).toEqual([])
})

test('a webhook whose result cannot be recorded is sent again, marked, and those after it are not marked', async () => {
  const problems: unknown[] = []
  await using receiver = await startReceiver((_received, response) => {
    const isLast = receiver.received.length === 10
    const broken = isLast
      ? sql`create trigger broken before insert on event begin select raise(abort, 'broken'); end`.execute(
          store.db,
        )
      : Promise.resolve()
    void broken.then(() => response.end())
  })
  const onError = (error: unknown) => {
    problems.push(error)
    void sql`drop trigger broken`.execute(store.db)
  }
  const { database, store } = await openStore(receiver.url, onError, { links: 30, commitsWaitForDisk: true })
  const { dispatcher, close } = openDispatcher(store, { onError, ms: 1 })
  await payFirst(store, 30)
  await receiver.count(31)
  await dispatcher.settled()

  const sent = (await deliveries.list(store.db, {}, 100)).toReversed()
  const marked = sent.filter(({ possibleDuplicate }) => possibleDuplicate).map(({ body }) => body)
  const bodies = receiver.received.map(({ body }) => body)
  expect(marked).toEqual(bodies.filter((body, index) => bodies.indexOf(body) < index))
  expect(marked[0]).toBe(bodies[9])
  expect(sent.filter(({ state }) => state === 'delivered')).toHaveLength(30)
  expect(problems).toMatchObject([{ message: 'broken' }])
  await close()
  await database.close()
})
