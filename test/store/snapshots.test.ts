import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { noSubject } from '../../server/domain/links/subject.ts'
import {
  deleteSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from '../../server/service/operations/state/snapshots.ts'
import { emptyTables } from '../../server/store/empty-tables.ts'
import type { UnitOfWork } from '../../server/store/store.ts'
import { openStore } from '../support/open-store.ts'
import { test } from '../support/test.ts'

test.for(['in a file', 'in memory'])(
  'a snapshot whose deletion is rolled back is kept: %s',
  async (where, { folder }) => {
    const problems: unknown[] = []
    const file = where === 'in memory' ? ':memory:' : join(folder.path, 'sandbox.db')
    const { store, snapshots, close } = await openStore({ file, onError: (error) => problems.push(error) })
    await store.transact((work) => takeSnapshot(work, snapshots, 'kept', false))
    const before = snapshots.list()

    // A row that refers to a missing row fails at the end of the transaction, which these units of work share.
    await sql`create table child (id integer primary key, of integer references child deferrable initially deferred)`.execute(
      store.db,
    )
    const outcomes = await Promise.allSettled([
      store.transact(async (work) => deleteSnapshot(work, snapshots, 'kept')),
      store.transact((work) => takeSnapshot(work, snapshots, 'kept', false)),
      store.transact(async (work) => deleteSnapshot(work, snapshots, 'kept')),
      store.transact((work) => sql`insert into child (of) values (7)`.execute(work.db)),
    ])

    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect(snapshots.list()).toEqual(before)
    if (file !== ':memory:') expect(readdirSync(`${file}.snapshots`)).toEqual(['kept.ndjson.gz'])
    await store.transact(async (work) => deleteSnapshot(work, snapshots, 'kept'))
    expect(snapshots.list()).toEqual([])
    if (file !== ':memory:') expect(readdirSync(`${file}.snapshots`)).toEqual([])
    await close()
    expect(problems).toEqual([])
  },
)

test('other work is done while a snapshot is taken or restored, and while the database is emptied', async ({
  folder,
}) => {
  const { store, snapshots, close } = await openStore({ file: join(folder.path, 'sandbox.db') })
  const version = 'v'.repeat(1_000)
  await store.transact(async ({ record }) => {
    for (let events = 0; events < 2_000; events++)
      await record({ type: 'sandbox.started', ...noSubject, version })
  })
  /** How often the event loop turned during the work. */
  const turnsOf = async (run: (work: UnitOfWork) => Promise<unknown>) => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await store.transact(run).finally(() => (isDone = true))
    return turns
  }

  const idle = await turnsOf(async () => undefined)
  const taking = await turnsOf((work) => takeSnapshot(work, snapshots, 'many', false))
  const restoring = await turnsOf((work) => restoreSnapshot(work, snapshots, 'many'))
  const emptying = await turnsOf(({ db }) => emptyTables(db))

  expect(Math.min(taking, restoring)).toBeGreaterThan(idle + 20)
  expect(emptying).toBeGreaterThan(idle + 2)
  await close()
})
