import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readOptions } from './read-options.js'
import { fail, root, run } from './run.js'

/** The major version of better-sqlite3 in the lock file. It runs on Node 20, but npm has to download or to compile its SQLite. */
const LOCKED_SQLITE = 12

/**
 * The major version of better-sqlite3 for a version of Node. Version 13 contains SQLite for all usual machines, but crashes a Node without
 * Node-API 10. Version 12 crashes Node 24 if it is compiled there. `server/store/sqlite/installed-sqlite.ts` refuses both.
 *
 * @param {string | undefined} napi the version of its Node-API
 */
const sqliteMajorFor = (napi) => (Number(napi) >= 10 ? 13 : LOCKED_SQLITE)

/** Installs the dependencies if they are missing or out of date. */
export function setUp() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node ${process.versions.node} is too old. Install Node 20.19 or newer.`)
  if (isInstalled(root)) return

  process.stderr.write(
    'Installing the dependencies. If no prebuilt SQLite fits, npm compiles it, which takes a minute or two.\n',
  )
  if (!install()) fail('The dependencies could not be installed. The output of npm above says why.')
  if (!isInstalled(root))
    fail(
      'npm reported success, but SQLite does not load, or a package is missing. If npm had to compile SQLite, it needs Python 3, make and a C++ compiler. To see why that failed, run `npm rebuild better-sqlite3`.',
    )
}

/** Installs the dependencies of the lock file, with the SQLite that works with this version of Node. */
function install() {
  const sqlite = sqliteMajorFor(process.versions.napi)
  if (sqlite === LOCKED_SQLITE) return npm('ci')
  return (
    npm('ci', '--ignore-scripts') &&
    npm('install', '--no-save', '--ignore-scripts', `better-sqlite3@${sqlite}`)
  )
}

/**
 * @param {...string} args
 * @returns {boolean} whether it succeeded
 */
function npm(...args) {
  const flags = [...args, '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']
  const path = process.env.npm_execpath
  if (path?.endsWith('npm-cli.js')) return run(process.execPath, [path, ...flags])
  return run('npm', flags, { shell: process.platform === 'win32' })
}

/**
 * Returns whether a project has the packages of its lock file, and a SQLite that loads. SQLite may have been compiled for a
 * different version of Node.
 *
 * @param {string} folder
 * @param {string | undefined} [napi]
 */
export function isInstalled(folder, napi = process.versions.napi) {
  return hasPackages(folder) && hasSqlite(folder, napi)
}

/** @param {string} folder */
function hasPackages(folder) {
  // npm writes this file last, so it is missing if an installation was interrupted.
  const installed = readLock(join(folder, 'node_modules', '.package-lock.json'))
  if (installed === undefined) return false
  const { '': _project, ...locked } = readLock(join(folder, 'package-lock.json')) ?? {}
  const isPresent = Object.entries(locked).every(([path, { version, integrity, optional }]) => {
    const installedPackage = installed[path]
    // Most optional packages are for other platforms. The version of SQLite depends on this Node.
    if (path === SQLITE || (installedPackage === undefined && optional)) return true
    return (
      installedPackage?.version === version &&
      installedPackage?.integrity === integrity &&
      existsSync(join(folder, path))
    )
  })
  // A different version of better-sqlite3 needs other packages, which are optional like better-sqlite3 itself.
  return isPresent && Object.keys(installed).every((path) => path in locked || installed[path]?.optional)
}

const SQLITE = 'node_modules/better-sqlite3'

/**
 * Loads SQLite in another process, because a process cannot load a native module again after it was replaced.
 *
 * @param {string} folder
 * @param {string | undefined} napi
 */
function hasSqlite(folder, napi) {
  const manifest = join(folder, SQLITE, 'package.json')
  if (!existsSync(manifest)) return false
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  if (!version.startsWith(`${sqliteMajorFor(napi)}.`)) return false
  const load = "new (require('better-sqlite3'))(':memory:').close()"
  return spawnSync(process.execPath, ['-e', load], { cwd: folder, stdio: 'ignore' }).status === 0
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    // The file is missing, or npm was stopped while it wrote it.
    return undefined
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  readOptions({
    command: 'node scripts/setup.js',
    text: 'Installs the dependencies if they are missing or out of date. The other scripts also do this.',
    flags: {},
  })
  setUp()
}
