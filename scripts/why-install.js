import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteMajorFor } from './sqlite-version.js'

/**
 * Returns why the dependencies of a project must be installed. Compares npm's record in `node_modules` with the lock file.
 * Checks that SQLite has the version for this Node, and loads it, because it can be compiled for another one.
 *
 * @param {string} folder
 * @param {{ node: string, napi?: string | undefined }} versions
 * @returns {string | undefined} undefined if they are installed
 */
export const whyInstall = (folder, versions = process.versions) =>
  whyInstallPackages(folder) ?? whyInstallSqliteVersion(folder, versions) ?? whyInstallSqlite(folder)

/** @param {string} folder */
function whyInstallPackages(folder) {
  // npm writes this file last, so it is missing after an interrupted installation.
  const installed = readLock(join(folder, 'node_modules', '.package-lock.json'))
  if (installed === undefined) return 'node_modules is missing or not complete'

  const { '': _project, ...locked } = readLock(join(folder, 'package-lock.json')) ?? {}
  for (const [path, { version, integrity, optional }] of Object.entries(locked)) {
    const found = installed[path]
    // Most optional packages are for other platforms.
    if (found === undefined && optional) continue
    if (found === undefined || !existsSync(join(folder, path))) return `${path} is missing`
    // Its version depends on this Node, and whyInstallSqliteVersion checks it.
    if (path === 'node_modules/better-sqlite3') continue
    if (found.version !== version || found.integrity !== integrity)
      return `${path} is ${found.version}, and package-lock.json asks for ${version}`
  }
  // Another version of better-sqlite3 needs other packages, which are optional like itself.
  const extra = Object.keys(installed).find((path) => !(path in locked) && !installed[path]?.optional)
  return extra && `${extra} is not in package-lock.json`
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

/**
 * @param {string} folder
 * @param {{ node: string, napi?: string | undefined }} versions
 */
function whyInstallSqliteVersion(folder, versions) {
  const manifest = join(folder, 'node_modules', 'better-sqlite3', 'package.json')
  if (!existsSync(manifest)) return 'node_modules/better-sqlite3 is missing'
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const major = sqliteMajorFor(versions)
  if (version.startsWith(`${major}.`)) return undefined
  return `better-sqlite3 ${version} does not fit Node ${versions.node}, which needs version ${major}`
}

/**
 * Loads SQLite in another process, because a process cannot load a native module again after it was replaced.
 *
 * @param {string} folder
 */
function whyInstallSqlite(folder) {
  const load = "new (require('better-sqlite3'))(':memory:').close()"
  const { status, stderr } = spawnSync(process.execPath, ['-e', load], { cwd: folder, encoding: 'utf8' })
  if (status === 0) return undefined
  const message = /^\w*Error: (.*)$/m.exec(stderr)?.[1] ?? 'the reason is not known'
  return `SQLite does not load in Node ${process.versions.node}: ${message}`
}
