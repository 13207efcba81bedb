import fc from 'fast-check'
import { DefaultQueryExecutor, Kysely, PostgresAdapter, SqliteAdapter } from 'kysely'
import { expect, test } from 'vitest'
import { blockIdRange, sharedIdRange } from '../../server/domain/links/id-range.ts'
import { noSubject } from '../../server/domain/links/subject.ts'
import type { Delivery } from '../../server/domain/webhooks/delivery.ts'
import * as epoch from '../../server/store/journal/epoch.ts'
import * as events from '../../server/store/journal/events.ts'
import * as meta from '../../server/store/meta.ts'
import type { Engine } from '../../server/store/engine.ts'
import type { SandboxEvent } from '../../server/domain/events/event.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import * as accounts from '../../server/store/repositories/accounts.ts'
import * as behaviors from '../../server/store/repositories/behaviors.ts'
import * as deliveries from '../../server/store/repositories/deliveries.ts'
import * as egressRules from '../../server/store/repositories/egress-rules.ts'
import * as faults from '../../server/store/repositories/faults.ts'
import * as idBlocks from '../../server/store/repositories/id-blocks.ts'
import * as links from '../../server/store/repositories/links.ts'
import * as plans from '../../server/store/repositories/plans.ts'
import type { Database } from '../../server/store/schema.ts'
import { Store, type UnitOfWork } from '../../server/store/store.ts'
import { newSchema, postgresUrl } from '../support/postgres.ts'
import { newAccount, newDelivery, newLink } from '../support/store-rows.ts'

const NOW = '2026-07-01T10:00:00.000Z'
const RANGES = [sharedIdRange, blockIdRange(1_000)]
const IDS = ['one', 'two']
const { target: TARGET } = newDelivery(newLink('one', 1))
const TARGETS = [TARGET, `${TARGET}/other`, `${TARGET}/third`]
const targetOf = (number: number): string => TARGETS[number % TARGETS.length]!
const TIMES = ['2026-07-01T09:00:00.000Z', NOW, '2026-07-01T11:00:00.000Z']
const RESULTS: readonly Partial<Delivery>[] = [
  { state: 'delivered', attempts: 1, nextAttemptAt: null },
  { state: 'pending', attempts: 1, nextAttemptAt: TIMES[0]! },
  { state: 'pending', attempts: 1, nextAttemptAt: TIMES[2]! },
  { state: 'held', nextAttemptAt: null },
]

/** Returns the same connection without its cached state, so that functions read from the database. */
function withoutState(db: Kysely<Database>): Kysely<Database> {
  const executor = db.getExecutor()
  const adapter = postgresUrl === undefined ? new SqliteAdapter() : new PostgresAdapter()
  return new Kysely<Database>({
    config: {} as never,
    dialect: {} as never,
    driver: {} as never,
    executor: new DefaultQueryExecutor(
      { compileQuery: (node, id) => executor.compileQuery(node as never, id) },
      adapter,
      { provideConnection: (consumer) => executor.provideConnection(consumer) },
    ),
  })
}

const planOf = (linkId: number) => ({
  linkId,
  steps: [{ webhooks: [1] }],
  awaitsResponse: false,
  redirect: null,
  afterRefund: [],
})

const started = { type: 'sandbox.started', ...noSubject, version: 'x' } as const

/** The actions of a unit of work, each for one of two accounts and with a small number. */
const actions: Readonly<Record<string, (work: UnitOfWork, id: string, number: number) => Promise<unknown>>> =
  {
    async createAccount({ db }, id, number) {
      if (!(await accounts.find(withoutState(db), id))) await accounts.insert(db, [newAccount(id, number)])
    },
    async saveAccount(work, id, number) {
      await actions.createAccount!(work, id, number)
      await accounts.save(work.db, newAccount(id, number))
    },
    async removeAccount({ db }, id) {
      await links.removeForAccount(db, id, (linkIds) => deliveries.removeForLinks(db, linkIds))
      await idBlocks.free(db, id)
      await accounts.remove(db, id)
    },
    saveBehaviors: ({ db }, id, number) =>
      behaviors.save(db, number % 2 ? id : behaviors.SANDBOX_SCOPE, {
        payId: number % 3 ? 'same' : 'distinct',
      }),
    removeBehavior: ({ db }, id, number) =>
      behaviors.remove(db, number % 2 ? id : behaviors.SANDBOX_SCOPE, ['payId']),
    removeBehaviors: ({ db }, id) => behaviors.removeForAccount(db, id),
    startBehaviors: ({ db }, _id, number) =>
      behaviors.applyStart(db, number % 2 ? {} : { payId: 'distinct' }),
    addFault: ({ db }, accountId, number) =>
      faults.insert(db, {
        on: 'api',
        accountId: number % 2 ? accountId : null,
        operation: null,
        target: null,
        script: ['500'],
        times: 3,
        probability: 1,
        seed: 1,
        createdAt: NOW,
      }),
    applyFault: ({ db }, accountId) => faults.applyFault(db, { on: 'api', accountId }),
    async undoFaultUse({ db }) {
      const [oldest] = await faults.list(db)
      if (oldest) await faults.undoFaultUse(db, { id: oldest.id, effect: '500' })
    },
    removeFaults: ({ db }, id) => faults.removeForAccount(db, id),
    writeMeta: ({ db }, id, number) => meta.write(db, id === 'one' ? 'undo' : 'unbilled', String(number)),
    removeMeta: ({ db }) => meta.remove(db, 'undo'),
    replaceRules: ({ db }, id, number) =>
      egressRules.replace(db, { maps: [], allowedHosts: number % 2 ? [`${id}.example`] : [] }),
    startRules: ({ db }, id, number) =>
      egressRules.applyStart(db, { maps: [], allowedHosts: number % 2 ? [`${id}.example`] : [] }),
    replaceStartRules: ({ db }, id, number) =>
      egressRules.replaceStartRules(
        db,
        number % 2 ? [{ from: `start-${id}.example`, to: null, source: 'start' }] : [],
      ),
    async takeBlock(work, id, number) {
      const { db } = work
      await actions.createAccount!(work, id, number)
      const newest = await idBlocks.find(db, id, 'newest')
      await idBlocks.take(db, id, (newest?.position ?? 0) + 1, `${id} ${number % 3}`)
    },
    freeBlocks: ({ db }, id) => idBlocks.free(db, id, 2),
    async createLink(work, id, number) {
      const { db } = work
      await actions.createAccount!(work, id, number)
      const range = RANGES[number % RANGES.length]!
      const next = ((await links.newestIds(db, range)).id || range.first) + 1 + (number % 3)
      await links.insert(db, newLink(id, next, next + (number % 2 ? 0 : range.payIdOffset), number))
    },
    async createSeededLink(work, id, number) {
      await actions.createAccount!(work, id, number)
      const payId = RANGES[number % RANGES.length]!.first + number
      await links.insert(work.db, newLink(id, 5_000 + number, payId, number))
    },
    /** The numbers are outside of every range. */
    async createStrangeLink(work, id, number) {
      const strange = number % 2 ? number + 1 : 3_000_000_000 + number
      await actions.createAccount!(work, id, number)
      await links.insert(work.db, newLink(id, strange, strange, number))
    },
    async payLink({ db }, accountId, number) {
      const [newest] = await links.list(db, { accountId }, 1)
      if (newest)
        await links.save(db, { ...newest, status: 'paid', paidBy: 'card', paidAt: TIMES[number % 3]! })
    },
    async removeDeliveries({ db }, accountId) {
      const ofAccount = await links.list(db, { accountId }, 1_000)
      await deliveries.removeForLinks(
        db,
        ofAccount.map(({ id }) => id),
      )
    },
    async insertPlan(work, accountId, number) {
      const { db } = work
      await actions.createLink!(work, accountId, number)
      const [newest] = await links.list(db, { accountId }, 1)
      if (newest && !(await plans.find(db, newest.id))) await plans.insert(db, planOf(newest.id))
    },
    async savePlan({ db }, _id, number) {
      const [plan] = await plans.list(db)
      if (plan) await plans.save(db, number % 2 ? plan : { ...plan, steps: [] })
    },
    record: (work, accountId) => work.record({ ...started, accountId } as never),
    removeEvents: ({ db }, id) => events.deleteOlder(db, id),
    removeOldestEvents: ({ db }, _id, number) => events.removeOldest(db, { after: 0, most: number }),
    reset: ({ db }) => epoch.emptyDatabase(db),
  }

type Actions = typeof actions

const pick = (names: string): Actions =>
  Object.fromEntries(names.split(' ').map((name) => [name, actions[name]!]))

/** Actions for webhooks to three targets. */
const deliveryActions: Actions = {
  async queue({ db }, id, number) {
    const [newest] = await links.list(db, { accountId: id }, 1)
    if (newest) await deliveries.queue(db, { ...newDelivery(newest), target: targetOf(number) }, NOW)
  },
  async queuePlanned({ db }, id, number) {
    const [newest] = await links.list(db, { accountId: id }, 1)
    const planned = { state: 'planned', target: targetOf(number) } as const
    if (newest) await deliveries.queue(db, { ...newDelivery(newest), ...planned }, NOW)
  },
  startPlanned: ({ db }, _id, number) => deliveries.start(db, number % 2 ? [1, 3, 5, 7] : [2, 4, 6, 8]),
  take: ({ db }, _id, number) =>
    deliveries.takeNext(db, targetOf(number), TIMES[number % 2]!, 1 + (number % 4)),
  resume: ({ db }, _id, number) => deliveries.resume(db, targetOf(number)),
  async saveDelivery({ db }, _id, number) {
    const delivery = await deliveries.find(db, number)
    if (delivery) await deliveries.save(db, { ...delivery, ...RESULTS[number % RESULTS.length] })
  },
  async saveTaken({ db }, _id, number) {
    const taken = await deliveries.takeNext(db, targetOf(number), TIMES[number % 2]!, 1 + (number % 4))
    for (const one of taken) await deliveries.save(db, { ...one, ...RESULTS[number % RESULTS.length] })
  },
  async reorderNext(work, id, number) {
    const { db } = work
    await deliveryActions.queue!(work, id, number)
    const [taken] = await deliveries.takeNext(db, targetOf(number), NOW)
    const delayed = {
      state: 'pending',
      nextAttemptAt: TIMES[2]!,
      fault: { id: 1, effect: 'reorder' },
    } as const
    if (taken) await deliveries.save(db, { ...taken, ...delayed })
  },
  startReordered: ({ db }, _id, number) => deliveries.startReordered(db, targetOf(number), NOW),
  markPossibleDuplicates: ({ db }) => deliveries.markPossibleDuplicates(db),
  removeDeliveries: actions.removeDeliveries!,
}

/** All facts that the cache may hold. */
async function factsOf(db: Kysely<Database>, keys: readonly string[]): Promise<unknown> {
  return {
    accounts: await Promise.all(
      IDS.flatMap((id) => [accounts.find(db, id), accounts.withRecipientToken(db, `token ${id}`)]),
    ),
    byKey: await Promise.all(keys.map((key) => accounts.withApiKey(db, key))),
    behaviors: await Promise.all([undefined, ...IDS].map((id) => behaviors.settings(db, id))),
    faults: await Promise.all(
      [...IDS, null].map((accountId) => faults.previewFault(db, { on: 'api', accountId })),
    ),
    meta: await Promise.all(
      (['undo', 'unbilled', 'epoch', 'lastDeletedLink', 'lastDeletedDelivery', 'deletions'] as const).map(
        (key) => meta.read(db, key),
      ),
    ),
    rules: await egressRules.list(db),
    blocks: await Promise.all(
      IDS.flatMap((id) => [idBlocks.find(db, id, 'first'), idBlocks.find(db, id, 'newest')]),
    ),
    isAnyPlan: await plans.isAny(db),
    counts: [
      await events.countAll(db),
      await deliveries.countAll(db),
      [...(await deliveries.countByState(db, undefined))].toSorted(),
    ],
    newestIds: await Promise.all(RANGES.map((range) => links.newestIds(db, range))),
    newestLinks: await Promise.all(
      RANGES.map(async (range) => links.find(db, (await links.newestIds(db, range)).id)),
    ),
  }
}

/** More webhooks than the units of work can queue. */
const MAX_QUEUE = 100

/** The deliveries of a target in the sequence in which they would be sent. */
async function queueOf(db: Kysely<Database>, target: string): Promise<unknown> {
  const taken: unknown[] = []
  await deliveries.resume(db, target)
  for (let number = 0; number < MAX_QUEUE; number++) {
    const [delivery] = await deliveries.takeNext(db, target, TIMES[2]!)
    if (!delivery) break
    taken.push(delivery)
    await deliveries.save(db, { ...delivery, state: 'failed', nextAttemptAt: null })
  }
  return taken
}

/** The values that the next writes find, and the ids that they get. */
async function nextOf(work: UnitOfWork, db: Kysely<Database>): Promise<unknown> {
  const { seq } = await events.append(db, started, NOW)
  const facts: unknown[] = [seq]
  for (const target of TARGETS) facts.push(await queueOf(db, target))
  for (const id of IDS) {
    const [newest] = await links.list(db, { accountId: id }, 1)
    if (newest)
      facts.push(
        (await deliveries.queue(db, newDelivery(newest), NOW)).id,
        await links.findIdenticalPrevious(db, newest, 1),
      )
  }
  await work.rollback()
  return facts
}

const unitsOf = (names: readonly string[]) => {
  const action = fc.record({
    name: fc.constantFrom(...names),
    id: fc.constantFrom(...IDS),
    number: fc.nat(5),
  })
  const unit = fc.record({
    actions: fc.array(action, { minLength: 1, maxLength: 4 }),
    failsGroup: fc.boolean(),
    end: fc.constantFrom('commit', 'commit', 'fail', 'roll back and go on', 'fail in the database'),
  })
  return fc.array(fc.array(unit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
}

/** Runs actions in a transaction that fails as a whole, as at a full disk. */
async function failGroup(
  engine: Engine,
  possible: Actions,
  steps: readonly { readonly name: string; readonly id: string; readonly number: number }[],
): Promise<void> {
  const failure = engine.group(async ({ begin, db }) => {
    await begin()
    const work = {
      db,
      record: (event: SandboxEvent) => events.append(db, event, NOW),
    } as unknown as UnitOfWork
    for (const { name, id, number } of steps) await possible[name]!(work, id, number)
    throw new Error('The group fails.')
  })
  await expect(failure).rejects.toThrow()
}

const KEYS = IDS.flatMap((id) => [0, 1, 2, 3, 4, 5].map((number) => `key ${id} ${number}`))

test.each([
  ['all tables', { ...actions, ...deliveryActions }, async () => {}],
  [
    'settings',
    pick(
      'saveAccount removeAccount saveBehaviors removeBehavior removeBehaviors startBehaviors addFault applyFault undoFaultUse removeFaults writeMeta removeMeta replaceRules startRules replaceStartRules takeBlock freeBlocks',
    ),
    async () => {},
  ],
  [
    'links',
    pick(
      'createLink createSeededLink createStrangeLink payLink insertPlan savePlan removeAccount record removeEvents removeOldestEvents',
    ),
    async () => {},
  ],
  [
    'webhooks',
    deliveryActions,
    async (work: UnitOfWork) => {
      for (const id of IDS) {
        await actions.createAccount!(work, id, 1)
        await actions.createLink!(work, id, 1)
      }
      await deliveryActions.take!(work, '', 0)
    },
  ],
])(
  'after any units of work, failures and rollbacks, the cache of %s equals the database',
  async (_subject, possible, prepare) => {
    await fc.assert(
      fc.asyncProperty(unitsOf(Object.keys(possible)), async (all) => {
        const schema = postgresUrl === undefined ? undefined : newSchema()
        const engine = await openDatabase(schema?.url ?? ':memory:')
        const store = new Store(
          engine,
          () => new Date(NOW),
          (error) => expect.unreachable(String(error)),
        )
        try {
          await store.transact(prepare)
          for (const units of all) {
            if (units[0]!.failsGroup) await failGroup(engine, possible, units[0]!.actions)
            await Promise.allSettled(
              units.map(({ actions: steps, end }) =>
                store.transact(async (work) => {
                  for (const { name, id, number } of steps) await possible[name]!(work, id, number)
                  expect(await factsOf(work.db, KEYS)).toEqual(await factsOf(withoutState(work.db), KEYS))
                  if (end === 'fail') throw new Error('It fails.')
                  if (end === 'fail in the database')
                    await work.db
                      .insertInto('pendingRequest')
                      .values({ seq: -1 } as never)
                      .execute()
                  if (end === 'commit') return
                  await work.rollback()
                  await actions.createLink!(work, 'one', 1)
                }),
              ),
            ).then((outcomes) => {
              for (const outcome of outcomes)
                if (outcome.status === 'rejected' && outcome.reason?.name === 'AssertionError')
                  throw outcome.reason
            })
            expect(await factsOf(store.db, KEYS)).toEqual(await factsOf(withoutState(store.db), KEYS))
            await store.transact(async (work) => {
              expect(await factsOf(work.db, KEYS)).toEqual(await factsOf(withoutState(work.db), KEYS))
              expect(await nextOf(work, work.db)).toEqual(await nextOf(work, withoutState(work.db)))
            })
          }
        } finally {
          await engine.close()
          await schema?.[Symbol.asyncDispose]()
        }
      }),
      { numRuns: postgresUrl === undefined ? 40 : 5 },
    )
  },
)
