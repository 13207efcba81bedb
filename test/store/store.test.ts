import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { noSubject } from '../../server/domain/links/subject.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import * as events from '../../server/store/journal/events.ts'
import { Store } from '../../server/store/store.ts'

const started = (version: string) => ({ type: 'sandbox.started', ...noSubject, version }) as const

async function openStore() {
  const problems: unknown[] = []
  const database = await openDatabase(':memory:')
  const store = new Store(
    database.db,
    () => new Date('2026-07-01T10:00:00Z'),
    (error) => problems.push(error),
  )
  const heard: string[][] = []
  store.eventBus.subscribe((batch) =>
    heard.push(batch.map((event) => (event.type === 'sandbox.started' ? event.version : ''))),
  )
  return { store, heard, problems, [Symbol.asyncDispose]: database.close }
}

test('a failed unit of work rolls back its own writes only, even in a shared commit', async () => {
  await using opened = await openStore()
  const { store, heard } = opened
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((version) =>
      store.transact(async ({ record }) => {
        await record(started(version))
        if (version === 'b') throw new Error('b failed')
        return version
      }),
    ),
  )

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await events.list(store.db, {}, 10)).map(({ seq }) => seq)).toEqual([1, 2])
  expect(heard).toEqual([['a', 'c']])
})

test('events are published after they are committed, in the order of the journal', async () => {
  await using opened = await openStore()
  const { store } = opened
  const seen: number[] = []
  const reads: Promise<void>[] = []
  store.eventBus.subscribe((batch) => {
    seen.push(...batch.map(({ seq }) => seq))
    reads.push(
      events.range(store.db).then(({ head }) => expect(head).toBeGreaterThanOrEqual(batch.at(-1)!.seq)),
    )
  })
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => store.transact(({ record }) => record(started(String(index))))),
  )
  await Promise.all(reads)

  expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
})

test('a changed clock applies to later units of work, unless the change fails or is rolled back', async () => {
  await using opened = await openStore()
  const { store } = opened
  const set = (at: string) => ({ mode: 'frozen', at }) as const
  const nows: string[] = []
  await Promise.allSettled([
    store.transact(async (work) => {
      await work.setClock(set('2030-01-01T00:00:00.000Z'))
      throw new Error('it failed')
    }),
    store.transact(async (work) => {
      nows.push(work.now)
      await work.setClock(set('2031-01-01T00:00:00.000Z'))
      await work.rollback()
      nows.push(work.now)
    }),
    store.transact(async (work) => {
      await work.setClock(set('2027-01-01T00:00:00.000Z'))
      nows.push(work.now, store.now().toISOString())
    }),
    store.transact(async ({ now }) => void nows.push(now)),
  ])
  expect(nows).toEqual([
    '2026-07-01T10:00:00.000Z',
    '2026-07-01T10:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
    // Others read it only after it is committed.
    '2026-07-01T10:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
  ])
  expect(store.now().toISOString()).toBe('2027-01-01T00:00:00.000Z')
})

test('a failing event listener is reported, and stops neither the store nor other listeners', async () => {
  await using opened = await openStore()
  const { store, problems } = opened
  const unsubscribe = store.eventBus.subscribe(() => {
    throw new Error('it cannot listen')
  })
  let heardLast = 0
  store.eventBus.subscribe(() => heardLast++)

  expect(await store.transact(async () => 'done')).toBe('done')
  expect([heardLast, problems]).toEqual([1, [new Error('it cannot listen')]])
  unsubscribe()
  await store.transact(({ record }) => record(started('later')))
  await store.idle()
  expect(opened.heard.flat()).toEqual(['later'])
})

test('space that cannot be freed is reported, and nothing fails', async () => {
  await using opened = await openStore()
  const { store, problems } = opened
  await sql`begin`.execute(store.db)
  await store.compact()
  await sql`rollback`.execute(store.db)
  expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining('cannot VACUUM') })])
  await store.compact()
  expect(problems).toHaveLength(1)
})
