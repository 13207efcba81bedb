import { expect, test } from 'vitest'
import { aboutNothing } from '../../server/domain/events.ts'
import { openDatabase } from '../../server/store/database.ts'
import * as events from '../../server/store/events.ts'
import { Store } from '../../server/store/store.ts'

const started = (version: string) => ({ type: 'sandbox.started', ...aboutNothing, version }) as const

async function openStore() {
  const database = await openDatabase(':memory:')
  const store = new Store(database.db, () => new Date('2026-07-01T10:00:00Z'))
  const heard: string[][] = []
  store.feed.subscribe((batch) =>
    heard.push(batch.map((event) => (event.type === 'sandbox.started' ? event.version : ''))),
  )
  return { store, heard, [Symbol.asyncDispose]: database.close }
}

test('work that fails takes back its own writes and nobody elses, though they share a commit', async () => {
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

test('events are published once they can be read, in the order of the journal', async () => {
  await using opened = await openStore()
  const { store } = opened
  const seen: number[] = []
  const reads: Promise<void>[] = []
  store.feed.subscribe((batch) => {
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
