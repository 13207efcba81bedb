import fc from 'fast-check'
import { DefaultQueryExecutor, Kysely, PostgresAdapter, SqliteAdapter } from 'kysely'
import { expect, test } from 'vitest'
import { blockIdRange, sharedIdRange } from '../../server/domain/links/id-range.ts'
import { noSubject } from '../../server/domain/links/subject.ts'
import * as epoch from '../../server/store/journal/epoch.ts'
import * as events from '../../server/store/journal/events.ts'
import * as meta from '../../server/store/meta.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import * as accounts from '../../server/store/repositories/accounts.ts'
import * as behaviors from '../../server/store/repositories/behaviors.ts'
import * as deliveries from '../../server/store/repositories/deliveries.ts'
import * as egressRules from '../../server/store/repositories/egress-rules.ts'
import * as faults from '../../server/store/repositories/faults.ts'
import * as idBlocks from '../../server/store/repositories/id-blocks.ts'
import * as links from '../../server/store/repositories/links.ts'
import type { Database } from '../../server/store/schema.ts'
import { Store, type UnitOfWork } from '../../server/store/store.ts'
import { newSchema, postgresUrl } from '../support/postgres.ts'
import { newAccount, newDelivery, newLink } from '../support/store-rows.ts'

const NOW = '2026-07-01T10:00:00.000Z'
const RANGES = [sharedIdRange, blockIdRange(1_000)]
const IDS = ['one', 'two']

/** The same connection, for functions that then know nothing and ask the database. */
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

const started = { type: 'sandbox.started', ...noSubject, version: 'x' } as const

/** What a unit of work can do, each for one of two accounts and with a small number. */
const actions: Readonly<Record<string, (work: UnitOfWork, id: string, number: number) => Promise<unknown>>> =
  {
    async createAccount({ db }, id, number) {
      if (!(await accounts.find(withoutState(db), id))) await accounts.insert(db, [newAccount(id, number)])
    },
    saveAccount: ({ db }, id, number) => accounts.save(db, newAccount(id, number)),
    async removeAccount({ db }, id) {
      await deliveries.removeForAccount(db, id)
      await links.removeForAccount(db, id)
      await idBlocks.free(db, id)
      await accounts.remove(db, id)
    },
    saveBehaviors: ({ db }, id, number) =>
      behaviors.save(db, number % 2 ? id : behaviors.SANDBOX_SCOPE, {
        payId: number % 3 ? 'same' : 'distinct',
      }),
    removeBehaviors: ({ db }, id) => behaviors.removeForAccount(db, id),
    startBehaviors: ({ db }, _id, number) =>
      behaviors.applyStart(db, number % 2 ? {} : { cancelWebhook: 'send' }),
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
    removeFaults: ({ db }, id) => faults.removeForAccount(db, id),
    writeMeta: ({ db }, id, number) => meta.write(db, id === 'one' ? 'undo' : 'unbilled', String(number)),
    removeMeta: ({ db }) => meta.remove(db, 'undo'),
    replaceRules: ({ db }, id, number) =>
      egressRules.replace(db, { maps: [], allowedHosts: number % 2 ? [`${id}.example`] : [] }),
    async takeBlock({ db }, id, number) {
      if (!(await accounts.find(db, id))) return
      const newest = await idBlocks.find(db, id, 'newest')
      await idBlocks.take(db, id, (newest?.position ?? 0) + 1, `${id} ${number % 3}`)
    },
    freeBlocks: ({ db }, id) => idBlocks.free(db, id, 2),
    async createLink({ db }, id, number) {
      if (!(await accounts.find(db, id))) return
      const range = RANGES[number % RANGES.length]!
      const next = ((await links.newestId(db, range)) ?? range.first) + 1 + (number % 3)
      await links.insert(db, newLink(id, next, next + (number % 2 ? 0 : range.payIdOffset), number))
    },
    async createSeededLink({ db }, id, number) {
      if (await accounts.find(db, id))
        await links.insert(db, newLink(id, 5_000 + number, 1_001 + number, number))
    },
    /** Numbers outside of every range. */
    async createStrangeLink({ db }, id, number) {
      const strange = number % 2 ? number + 1 : 3_000_000_000 + number
      if (await accounts.find(db, id)) await links.insert(db, newLink(id, strange, strange, number))
    },
    async queue({ db }, id) {
      const [newest] = await links.list(db, { accountId: id }, 1)
      if (newest) await deliveries.queue(db, newDelivery(newest), NOW)
    },
    removeDeliveries: ({ db }, id) => deliveries.removeForAccount(db, id),
    record: (work, accountId) => work.record({ ...started, accountId } as never),
    removeEvents: ({ db }, id) => events.deleteOlder(db, id),
    reset: ({ db }) => epoch.emptyDatabase(db),
  }

/** Everything that may be known. */
async function factsOf(db: Kysely<Database>, keys: readonly string[]): Promise<unknown> {
  return {
    accounts: await Promise.all(
      IDS.flatMap((id) => [accounts.find(db, id), accounts.withRecipientToken(db, `token ${id}`)]),
    ),
    byKey: await Promise.all(keys.map((key) => accounts.withApiKey(db, key))),
    behaviors: await Promise.all([undefined, ...IDS].map((id) => behaviors.settings(db, id))),
    faults: await Promise.all(IDS.map((accountId) => faults.previewFault(db, { on: 'api', accountId }))),
    meta: await Promise.all((['undo', 'unbilled', 'epoch'] as const).map((key) => meta.read(db, key))),
    rules: await egressRules.list(db),
    blocks: await Promise.all(IDS.map((id) => idBlocks.find(db, id, 'newest'))),
    newestLinks: await Promise.all(RANGES.map((range) => links.newestId(db, range))),
  }
}

/** The ids and findings that the next writes would have. */
async function nextOf(work: UnitOfWork, db: Kysely<Database>): Promise<unknown> {
  const { seq } = await events.append(db, started, NOW)
  const facts: unknown[] = [seq]
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

const action = fc.record({
  name: fc.constantFrom(...Object.keys(actions)),
  id: fc.constantFrom(...IDS),
  number: fc.nat(5),
})
const unit = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom('commit', 'commit', 'fail', 'roll back and go on', 'fail in the database'),
})
const groups = fc.array(fc.array(unit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })

const KEYS = IDS.flatMap((id) => [0, 1, 2, 3, 4, 5].map((number) => `key ${id} ${number}`))

test('after any units of work, failures and rollbacks, the cache equals the database', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (all) => {
      const schema = postgresUrl === undefined ? undefined : newSchema()
      const engine = await openDatabase(schema?.url ?? ':memory:')
      const store = new Store(
        engine,
        () => new Date(NOW),
        (error) => expect.unreachable(String(error)),
      )
      try {
        for (const units of all) {
          await Promise.allSettled(
            units.map(({ actions: steps, end }) =>
              store.transact(async (work) => {
                for (const { name, id, number } of steps) await actions[name]!(work, id, number)
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
    { numRuns: postgresUrl === undefined ? 150 : 15 },
  )
})
