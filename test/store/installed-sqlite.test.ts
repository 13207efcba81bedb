import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DatabaseError } from '../../server/store/database-error.ts'
import {
  chooseSqlite,
  findInstalledSqlite,
  type InstalledSqlite,
  type NodeVersions,
} from '../../server/store/sqlite/installed-sqlite.ts'
import { packageManagerOf } from '../../server/store/sqlite/package-manager.ts'
import { temporaryFolder } from '../support/process.ts'

const HOOKED = '_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_'

const NODE_20 = { node: '20.19.0', napi: '9' }
const NODE_22_13 = { node: '22.13.1', napi: '9' }
const NODE_22 = { node: '22.23.3', napi: '10' }
const NODE_24 = { node: '24.21.0', napi: '10' }

const missing = (): Buffer => {
  throw new Error('ENOENT')
}

const sqlite = (version: string, readBinary = missing, folder = '/app/node_modules/better-sqlite3') => ({
  version,
  folder,
  readBinary,
})

const compiled12 = sqlite('12.11.1', () => Buffer.from(`ELF ${HOOKED}`))
const downloaded12 = sqlite('12.11.1', () => Buffer.from('AddEnvironmentCleanupHook'))
const version13 = sqlite('13.2.0')

test.each<[node: NodeVersions, installed: InstalledSqlite]>([
  [NODE_20, sqlite('12.11.1')],
  [NODE_22_13, compiled12],
  [NODE_22, compiled12],
  [NODE_22, version13],
  [NODE_24, downloaded12],
  [NODE_24, sqlite('12.11.1')],
  [NODE_24, version13],
])('Node $node loads the only SQLite that is installed ($version)', (node, installed) => {
  expect(chooseSqlite(node, [installed])).toBe(installed)
})

test('if several installed versions can be loaded, the one in the nearest folder is loaded', () => {
  const [nearest, other] = [sqlite('13.2.0'), sqlite('12.11.1')]

  const chosen = [NODE_20, NODE_22].map((node) => chooseSqlite(node, [nearest, other]))

  expect(chosen).toEqual([other, nearest])
})

test.each<[node: NodeVersions, installed: InstalledSqlite[], message: string]>([
  [
    NODE_20,
    [version13],
    'SQLite cannot be loaded: better-sqlite3 13.2.0 needs Node 22.14 or newer, and this is Node 20.19.0. To install the version for Node 20.19.0, run `npm install --save-dev better-sqlite3@12` in /app.',
  ],
  [
    NODE_22_13,
    [version13],
    'SQLite cannot be loaded: better-sqlite3 13.2.0 needs Node 22.14 or newer, and this is Node 22.13.1. To install the version for Node 22.13.1, run `npm install --save-dev better-sqlite3@12` in /app.',
  ],
  [
    NODE_24,
    [compiled12],
    'SQLite cannot be loaded: better-sqlite3 12.11.1 was compiled in a way that crashes Node 24. To install the version for Node 24.21.0, run `npm install --save-dev better-sqlite3@13` in /app.',
  ],
  [
    { node: '26.3.0', napi: '10', bun: '1.4.5' },
    [compiled12],
    'SQLite cannot be loaded: better-sqlite3 12.11.1 is compiled for Node, and this is Bun 1.4.5. To install the version for Bun 1.4.5, run `npm install --save-dev better-sqlite3@13` in /app.',
  ],
])('Node %o refuses a SQLite that would crash it', (node, installed, message) => {
  expect(() => chooseSqlite(node, installed)).toThrow(new DatabaseError(message))
})

test('without any SQLite, the error says what to install', () => {
  expect(() => chooseSqlite(NODE_20, [])).toThrow(
    /^SQLite cannot be loaded: better-sqlite3 is not installed\. .* run `npm install --save-dev better-sqlite3@12` in /,
  )
})

test.each([
  [
    'package-lock.json',
    'npm install --save-dev better-sqlite3@12',
    'npm install --save-dev better-sqlite3@13',
  ],
  [
    'pnpm-lock.yaml',
    'pnpm add --save-dev --allow-build=better-sqlite3 better-sqlite3@12',
    'pnpm add --save-dev better-sqlite3@13',
  ],
  ['yarn.lock', 'yarn add --dev better-sqlite3@12', 'yarn add --dev better-sqlite3@13'],
  ['bun.lock', 'bun add --dev --trust better-sqlite3@12', 'bun add --dev better-sqlite3@13'],
])('in a project with %s, the error names the command of its package manager', (lockFile, for20, for24) => {
  using project = temporaryFolder()
  writeFileSync(join(project.path, lockFile), '')
  const folder = join(project.path, 'node_modules', 'paylink-sandbox', 'node_modules', 'better-sqlite3')
  mkdirSync(folder, { recursive: true })

  const refuse = (node: NodeVersions, installed: InstalledSqlite) => () => chooseSqlite(node, [installed])

  expect(refuse(NODE_20, { ...version13, folder })).toThrow(`run \`${for20}\` in ${project.path}.`)
  expect(refuse(NODE_24, { ...compiled12, folder })).toThrow(`run \`${for24}\` in ${project.path}.`)
})

test('this project installs a version of SQLite that the sandbox accepts', () => {
  const chosen = chooseSqlite(process.versions, findInstalledSqlite())

  expect(packageManagerOf(chosen.folder)).toBe('npm')
})
