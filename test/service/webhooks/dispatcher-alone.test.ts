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
import { test } from '../../support/test.ts'

/** A store with link 1001 to a target. */
async function openStore(target: string, onError: (error: unknown) => void) {
  const database = await openDatabase(':memory:')
  const store = new Store(database, () => new Date(), onError)
  const seed = withStableIdentities(
    readSeed({
      accounts: [{ name: 'Shop' }],
      links: [{ account: 'Shop', amount: 5, paymentEndpoint: target }],
    }),
  )
  await store.transact((work) =>
    initializeIfNew(work, { seed, behaviors: {}, egressRules: { maps: [], allowedHosts: [] } }),
  )
  return { database, store }
}

const payFirst = (store: Store) =>
  store.transact(async (work) => {
    const link = await links.find(work.db, 1001)
    await payLink(work, link!, { method: 'card', browser: 'closes', entryPoint: 'control' })
  })

const SEND = { verdict: 'send', addresses: [{ address: '127.0.0.1', family: 4 }] } as const

/** A dispatcher that sends webhooks to every target, unless the options say otherwise. */
function openDispatcher(
  store: Store,
  options: Pick<Parameters<typeof createDispatcher>[1], 'onError'> &
    Partial<Pick<Parameters<typeof createDispatcher>[1], 'checkEgress'>>,
) {
  const poster = createPost({ timeoutMs: 5_000, userAgent: 'test' })
  const dispatcher = createDispatcher(store, {
    checkEgress: async () => SEND,
    post: poster.post,
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
