import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isInstalled } from '../../scripts/setup.js'
import { cleanEnvironment, temporaryFolder } from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** SQLite and its dependencies. Only version 12 needs the last two. */
const SQLITE = [
  'node_modules/better-sqlite3',
  'node_modules/kysely',
  'node_modules/bindings',
  'node_modules/file-uri-to-path',
].filter((path) => existsSync(join(root, path)))

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; resolved?: string; optional?: boolean }>
}

const writeJson = (file: string, value: unknown): void => writeFileSync(file, JSON.stringify(value))

/** A project that depends on SQLite and Kysely, as npm installs it. */
function installedProject() {
  const folder = temporaryFolder()
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const needed = Object.fromEntries(SQLITE.map((path) => [path, packages[path]!]))
  mkdirSync(join(folder.path, 'node_modules'))
  for (const path of SQLITE) symlinkSync(join(root, path), join(folder.path, path), 'junction')

  const locked: Lock = {
    packages: {
      '': { version: '1.0.0' },
      ...needed,
      'node_modules/for-another-platform': { version: '1.0.0', optional: true },
    },
  }
  const installed: Lock = { packages: structuredClone(needed) }
  // npm records the origin of a package, which the lock file does not contain.
  for (const one of Object.values(installed.packages)) one.resolved = 'https://registry.example/one.tgz'
  const write = () => {
    writeJson(join(folder.path, 'package-lock.json'), locked)
    writeJson(join(folder.path, 'node_modules', '.package-lock.json'), installed)
  }
  write()
  return { ...folder, locked: locked.packages, installed: installed.packages, write }
}

test('setup: a project with its packages and a SQLite that loads is installed', () => {
  using project = installedProject()
  expect(isInstalled(project.path)).toBe(true)
})

type Project = ReturnType<typeof installedProject>

/** Replaces the link to SQLite with a module of this version that loads. */
function replaceSqlite({ path }: Project, version: string): string {
  const sqlite = join(path, 'node_modules', 'better-sqlite3')
  rmSync(sqlite)
  mkdirSync(sqlite)
  writeJson(join(sqlite, 'package.json'), { version })
  writeFileSync(join(sqlite, 'index.js'), 'module.exports = class { close() {} }')
  return sqlite
}

test.for([
  ['12.11.1', '9'],
  ['13.2.0', '10'],
] as const)('setup: SQLite %s is installed for Node-API %s', ([version, napi]) => {
  using project = installedProject()
  replaceSqlite(project, version)
  expect(isInstalled(project.path, napi)).toBe(true)
})

test.for<[what: string, change: (project: Project) => unknown, napi?: string]>([
  [
    'the lock file requires another version',
    ({ locked }) => (locked['node_modules/kysely']!.version = '9.9.9'),
  ],
  ['the lock file requires other content', ({ locked }) => (locked['node_modules/kysely']!.integrity = 'x')],
  ['npm has not recorded a package', ({ installed }) => delete installed['node_modules/kysely']],
  ['a package was deleted', ({ path }) => rmSync(join(path, 'node_modules', 'kysely'))],
  [
    'the lock file no longer lists a package',
    ({ installed }) => (installed['node_modules/extra'] = { version: '1.0.0' }),
  ],
  ['SQLite is too old for this Node', (project) => replaceSqlite(project, '12.11.1'), '10'],
  ['SQLite is too new for this Node', (project) => replaceSqlite(project, '13.2.0'), '9'],
  [
    'npm could not install SQLite, which is optional',
    ({ path, installed }) => {
      rmSync(join(path, 'node_modules', 'better-sqlite3'))
      delete installed['node_modules/better-sqlite3']
    },
  ],
  [
    'SQLite was compiled for another Node',
    (project) => {
      const { version } = JSON.parse(readFileSync(join(root, SQLITE[0]!, 'package.json'), 'utf8'))
      const sqlite = replaceSqlite(project, version)
      cpSync(join(root, SQLITE[0]!, 'lib'), join(sqlite, 'lib'), { recursive: true })
      cpSync(join(root, SQLITE[0]!, 'package.json'), join(sqlite, 'package.json'))
      mkdirSync(join(sqlite, 'build', 'Release'), { recursive: true })
      writeFileSync(join(sqlite, 'build', 'Release', 'better_sqlite3.node'), 'for another machine')
    },
  ],
])('setup: installs the dependencies if %s', ([, change, napi = process.versions.napi]) => {
  using project = installedProject()
  change(project)
  project.write()
  expect(isInstalled(project.path, napi)).toBe(false)
})

test('setup: installs the dependencies if an installation was interrupted', () => {
  using project = installedProject()
  rmSync(join(project.path, 'node_modules', '.package-lock.json'))
  expect(isInstalled(project.path)).toBe(false)
})

/** Newer versions of Node need another version of SQLite than the lock file names, so npm asks the registry. */
test.skipIf(Number(process.versions.napi) >= 10)(
  'setup: says that it installs, and what to do if SQLite is still missing',
  () => {
    using folder = temporaryFolder()
    cpSync(join(root, 'scripts'), join(folder.path, 'scripts'), { recursive: true })
    const project = { name: 'without-sqlite', version: '1.0.0', type: 'module' }
    writeJson(join(folder.path, 'package.json'), project)
    writeJson(join(folder.path, 'package-lock.json'), {
      ...project,
      lockfileVersion: 3,
      packages: { '': project },
    })

    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/setup.js'], {
      cwd: folder.path,
      env: cleanEnvironment(),
      encoding: 'utf8',
    })

    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Installing the dependencies\. /)
    expect(stderr).toContain('run `npm rebuild better-sqlite3`')
  },
)
