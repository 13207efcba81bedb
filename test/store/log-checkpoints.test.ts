import SQLite from 'better-sqlite3'
import { readdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { noSubject } from '../../server/domain/links/subject.ts'
import type { Store } from '../../server/store/store.ts'
import { openStore } from '../support/open-store.ts'
import { test } from '../support/test.ts'

const MEGABYTE = 1024 * 1024

/** Records events of 60 megabytes. Returns the largest size of the log. */
async function recordMuch(store: Store, file: string): Promise<number> {
  const version = 'x'.repeat(MEGABYTE / 2)
  let largest = 0
  for (let commit = 0; commit < 60; commit++) {
    await Promise.all(
      ['a', 'b'].map((name) =>
        store.transact(({ record }) =>
          record({ type: 'sandbox.started', ...noSubject, version: name + version }),
        ),
      ),
    )
    largest = Math.max(largest, statSync(`${file}-wal`).size)
  }
  return largest
}

test('the log stays short while much is written, and a stop leaves everything in the file', async ({
  folder,
}) => {
  const file = join(folder.path, 'sandbox.db')
  const problems: unknown[] = []
  const { store, close } = await openStore({ file, onError: (error) => problems.push(error) })
  expect(await recordMuch(store, file)).toBeLessThan(40 * MEGABYTE)
  await close()

  expect(problems).toEqual([])
  expect(readdirSync(folder.path)).toEqual(['sandbox.db'])
  const sqlite = new SQLite(file, { readonly: true })
  expect(sqlite.prepare('select count(*) from event').pluck().get()).toBe(120)
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  sqlite.close()
})

// Windows does not remove files that are open.
test.skipIf(process.platform === 'win32')(
  'the log stays short if the thread that copies it cannot open the file',
  async ({ folder }) => {
    const file = join(folder.path, 'sandbox.db')
    const { store, close } = await openStore({ file, onError: () => {} })
    unlinkSync(file)
    expect(await recordMuch(store, file)).toBeLessThan(40 * MEGABYTE)
    await close()
  },
)
