import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Why the dependencies of a project must be installed. Compares what npm noted down in `node_modules` with the lock file,
 * and loads SQLite, which is compiled for one version of Node.
 *
 * @param {string} folder
 * @returns {string | undefined} undefined if they are installed
 */
export const whyInstall = (folder) => whyInstallPackages(folder) ?? whyInstallSqlite(folder)

/** @param {string} folder */
function whyInstallPackages(folder) {
  // npm writes it last, so an installation that was stopped has none.
  const installed = readLock(join(folder, 'node_modules', '.package-lock.json'))
  if (installed === undefined) return 'node_modules is missing or not complete'

  const { '': _project, ...locked } = readLock(join(folder, 'package-lock.json')) ?? {}
  for (const [path, { version, integrity, optional }] of Object.entries(locked)) {
    const there = installed[path]
    // Optional packages are mostly built for other platforms.
    if (there === undefined && optional) continue
    if (there === undefined || !existsSync(join(folder, path))) return `${path} is missing`
    if (there.version !== version || there.integrity !== integrity)
      return `${path} is ${there.version}, and package-lock.json asks for ${version}`
  }
  const extra = Object.keys(installed).find((path) => !(path in locked))
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
    // It is missing, or npm was stopped while it wrote the file.
    return undefined
  }
}

/**
 * Loads SQLite in a process of its own: a native module that was replaced cannot be loaded again in the same process.
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
