import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { EventOf, RecordedEvent } from '../../server/domain/events/event.ts'
import { noSubject } from '../../server/domain/links/subject.ts'
import * as events from '../../server/store/journal/events.ts'
import type { Store } from '../../server/store/store.ts'
import { openStore } from '../support/open-store.ts'

const started = (version: string) => ({ type: 'sandbox.started', ...noSubject, version }) as const

async function open() {
  const problems: unknown[] = []
  const opened = await openStore({ onError: (error) => problems.push(error) })
  const { store } = opened
  const heard: string[][] = []
  store.eventBus.subscribe((batch) =>
    heard.push(batch.map((event) => (event.type === 'sandbox.started' ? event.version : ''))),
  )
  return { ...opened, heard, problems }
}

test('a failed unit of work rolls back its own writes only, even in a shared commit', async () => {
  await using opened = await open()
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

/**
 * Each unit of work of a commit records some events. A unit whose name ends with `!` fails, and one that ends with `~` rolls
 * back.
 */
async function recordInOneCommit(store: Store, jobs: readonly [name: string, count: number][]) {
  const outcomes = await Promise.allSettled(
    jobs.map(([name, count]) =>
      store.transact(async ({ record, rollback }) => {
        for (let number = 0; number < count; number++) await record(started(name))
        if (name.endsWith('!')) throw new Error('it failed')
        if (name.endsWith('~')) {
          await rollback()
          await record(started(`${name} rolled back`))
        }
      }),
    ),
  )
  return outcomes.map(({ status }) => status)
}

test('a rollback removes exactly its own writes, whatever other units of the same commit have written', async () => {
  await using opened = await open()
  const { store, heard } = opened
  const outcomes = await recordInOneCommit(store, [
    ['first!', 1],
    ['a', 2],
    ['b~', 3],
    ['c', 1],
    ['many', 1_500],
    ['d!', 2],
    ['e', 1],
    ['many~', 1_500],
    ['f', 1],
    ['g!', 1],
    ['none', 0],
  ])

  const recorded = await events.list(store.db, {}, 10_000)
  const names = recorded.map((event) => (event.type === 'sandbox.started' ? event.version : ''))
  expect(outcomes.filter((status) => status === 'rejected')).toHaveLength(3)
  expect(recorded.map(({ seq }) => seq)).toEqual(recorded.map((_, index) => index + 1))
  const many = Array<string>(1_500).fill('many')
  expect(names).toEqual(['a', 'a', 'b~ rolled back', 'c', ...many, 'e', 'many~ rolled back', 'f'])
  expect(heard).toEqual([names])
})

test('a restored snapshot is rolled back with its own unit of work only', async () => {
  await using opened = await open()
  const { store, snapshots } = opened
  const job = (name: string, restores = false) =>
    store.transact(async ({ db, record }) => {
      if (restores) await snapshots.restore('first', db)
      else await record(started(name))
      if (name.endsWith('!')) throw new Error('it failed')
    })
  const versions = async () =>
    (await events.list(store.db, {}, 10)).map((event) => 'version' in event && event.version)
  await job('a')
  await store.transact(async ({ db, now }) => (await snapshots.take('first', now, db)).onCommit())

  await Promise.allSettled([job('b'), job('restore!', true), job('c')])
  expect(await versions()).toEqual(['a', 'b', 'c'])
  await Promise.allSettled([job('d'), job('restore', true), job('e!'), job('f')])
  expect(await versions()).toEqual(['a', 'f'])
})

test('events are published after they are committed, in the sequence of the journal', async () => {
  await using opened = await open()
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

test('work before a commit that records certain events is committed with it, and rolls back only itself', async () => {
  await using opened = await open()
  const { store, heard, problems } = opened
  const seen: number[] = []
  const isStart = (event: RecordedEvent): event is RecordedEvent<EventOf<'sandbox.started'>> =>
    event.type === 'sandbox.started'
  const end = store.beforeCommit(isStart, async ({ record }, recorded) => {
    seen.push(recorded.length)
    await record(started('before commit'))
    if (seen.length > 1) throw new Error('it failed')
  })
  expect(await recordInOneCommit(store, [['a', 1]])).toEqual(['fulfilled'])
  expect(await recordInOneCommit(store, [['b', 2]])).toEqual(['fulfilled'])
  await store.transact(({ record }) => record({ type: 'sandbox.reset', ...noSubject, to: 'empty' }))
  end()
  expect(await recordInOneCommit(store, [['c', 1]])).toEqual(['fulfilled'])

  expect(seen).toEqual([1, 2])
  expect(heard.filter((batch) => batch.length > 0)).toEqual([['a', 'before commit'], ['b', 'b'], [''], ['c']])
  expect(problems).toEqual([])
})

test('a new time applies to later units of work, unless the change fails or is rolled back', async () => {
  await using opened = await open()
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
    // Other units of work read it only after the commit.
    '2026-07-01T10:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
  ])
  expect(store.now().toISOString()).toBe('2027-01-01T00:00:00.000Z')
})

test('a failing event listener is reported, and does not stop the store or other listeners', async () => {
  await using opened = await open()
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

test('space that cannot be freed is reported, and causes no failure', async () => {
  await using opened = await open()
  const { store, problems } = opened
  await sql`begin`.execute(store.db)
  await store.compact()
  await sql`rollback`.execute(store.db)
  expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining('cannot VACUUM') })])
  await store.compact()
  expect(problems).toHaveLength(1)
})
