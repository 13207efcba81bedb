import SQLite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as accounts from '../../server/store/repositories/accounts.ts'
import * as meta from '../../server/store/meta.ts'
import { openStore } from '../support/open-store.ts'
import { collectGarbage } from '../support/collect-garbage.ts'

/** A store, and a second connection that changes its file: a value that stays the same was cached. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-recall-'))
  const file = join(folder, 'sandbox.db')
  const { store, snapshots, close } = await openStore({ file })
  await store.transact((work) => meta.write(work.db, 'clock', 'first'))
  const behind = new SQLite(file)
  return {
    store,
    snapshots,
    read: () => meta.read(store.db, 'clock'),
    change: (value: string) => behind.prepare(`update meta set value = ? where key = 'clock'`).run(value),
    async [Symbol.asyncDispose]() {
      behind.close()
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}

test('a cached value is read once, and again after a change', async () => {
  await using opened = await open()
  const { store, read, change } = opened
  expect(await read()).toBe('first')
  change('behind')
  expect(await read()).toBe('first')

  await store.transact((work) => meta.write(work.db, 'unbilled', '2026-07'))
  expect(await read()).toBe('behind')
})

test('a unit of work reads its own writes, and a rollback removes them from the cache', async () => {
  await using opened = await open()
  const { store, read } = opened
  const seen: (string | undefined)[] = []
  await store.transact(async (work) => {
    await meta.write(work.db, 'clock', 'undone')
    seen.push(await meta.read(work.db, 'clock'))
    await work.rollback()
    seen.push(await meta.read(work.db, 'clock'))
  })
  const failing = store.transact(async (work) => {
    await meta.write(work.db, 'clock', 'failed')
    seen.push(await meta.read(work.db, 'clock'))
    throw new Error('failed')
  })
  // This unit of work follows the failed one in the same commit.
  const behind = store.transact((work) => meta.read(work.db, 'clock'))
  await expect(failing).rejects.toThrow('failed')

  expect(seen).toEqual(['undone', 'first', 'failed'])
  expect(await behind).toBe('first')
  expect(await read()).toBe('first')
})

test('a read during a change gets the committed value, and does not cache it', async () => {
  await using opened = await open()
  const { store, read } = opened
  let asked: Promise<string | undefined> | undefined
  await store.transact(async (work) => {
    asked = read()
    await meta.write(work.db, 'clock', 'second')
    // The transaction sees the new value. The read outside of it waits for the connection.
    expect(await meta.read(work.db, 'clock')).toBe('second')
  })

  expect(await asked).toBe('second')
  expect(await read()).toBe('second')
})

test('large values are not cached, because requests could fill the memory', async () => {
  await using opened = await open()
  const { store } = opened
  const token = 'x'.repeat(1_000)
  const held = async () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  await accounts.withApiKey(store.db, `${token}-first`)
  const before = await held()
  for (let asked = 0; asked < 2_000; asked++) {
    await accounts.withApiKey(store.db, token.repeat(20) + asked)
  }

  expect((await held()) - before).toBeLessThan(10_000_000)
})

test('restoring a snapshot clears the cache', async () => {
  await using opened = await open()
  const { store, snapshots, read } = opened
  await store.transact(async (work) => work.addSideEffect(await snapshots.take('before', work.now, work.db)))
  await store.transact((work) => meta.write(work.db, 'clock', 'second'))
  expect(await read()).toBe('second')
  await store.transact((work) => snapshots.restore('before', work.db))

  expect(await read()).toBe('first')
})
