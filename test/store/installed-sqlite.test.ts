import { expect, test } from 'vitest'
import { findInstalledSqlite, whyNotLoad } from '../../server/store/sqlite/installed-sqlite.ts'

const HOOKED = '_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_'

const missing = (): Buffer => {
  throw new Error('ENOENT')
}

test.each<[node: string, sqlite: string, readBinary: () => Buffer, expected: RegExp | undefined]>([
  ['20.19.0', '12.11.1', missing, undefined],
  ['20.19.0', '13.2.0', missing, /^better-sqlite3 13\.2\.0 needs Node 22, .* Install better-sqlite3@12/],
  ['22.23.3', '12.11.1', () => Buffer.from(HOOKED), undefined],
  ['22.23.3', '13.2.0', missing, undefined],
  ['24.21.0', '12.11.1', () => Buffer.from('AddEnvironmentCleanupHook'), undefined],
  ['24.21.0', '12.11.1', missing, undefined],
  [
    '24.21.0',
    '12.11.1',
    () => Buffer.from(`ELF ${HOOKED}`),
    /crashes Node 24\. Run `npm update better-sqlite3`/,
  ],
  ['24.21.0', '13.2.0', missing, undefined],
])('Node %s with better-sqlite3 %s', (node, version, readBinary, expected) => {
  const why = whyNotLoad(node, { version, readBinary })

  if (expected === undefined) expect(why).toBeUndefined()
  else expect(why).toMatch(expected)
})

test('the SQLite of this project may be loaded', () => {
  expect(whyNotLoad(process.versions.node, findInstalledSqlite())).toBeUndefined()
})
