import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { deleteSnapshot, takeSnapshot } from '../../server/service/operations/state/snapshots.ts'
import { openDatabase } from '../../server/store/open-database.ts'
import { Store } from '../../server/store/store.ts'
import { test } from '../support/test.ts'

test.for(['in a file', 'in memory'])(
  '%s, a snapshot whose deletion is rolled back is kept',
  async (where, { folder }) => {
    const problems: unknown[] = []
    const file = where === 'in memory' ? ':memory:' : join(folder.path, 'sandbox.db')
    const database = await openDatabase(file)
    const { db, snapshots } = database
    const store = new Store(
      database,
      () => new Date('2026-07-01T10:00:00Z'),
      (error) => problems.push(error),
    )
    await store.transact((work) => takeSnapshot(work, snapshots, 'kept', false))
    const before = snapshots.list()

    // A row that refers to a missing one fails at the end of the transaction, which these units of work
    // share.
    await sql`create table child (id integer primary key, of integer references child deferrable initially deferred)`.execute(
      db,
    )
    const outcomes = await Promise.allSettled([
      store.transact(async (work) => deleteSnapshot(work, snapshots, 'kept')),
      store.transact((work) => takeSnapshot(work, snapshots, 'kept', false)),
      store.transact(async (work) => deleteSnapshot(work, snapshots, 'kept')),
      store.transact((work) => sql`insert into child (of) values (7)`.execute(work.db)),
    ])

    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect(snapshots.list()).toEqual(before)
    if (file !== ':memory:') expect(readdirSync(`${file}.snapshots`)).toEqual(['kept.db'])
    await store.transact(async (work) => deleteSnapshot(work, snapshots, 'kept'))
    expect(snapshots.list()).toEqual([])
    if (file !== ':memory:') expect(readdirSync(`${file}.snapshots`)).toEqual([])
    await database.close()
    expect(problems).toEqual([])
  },
)
