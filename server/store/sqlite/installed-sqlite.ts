import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseError } from '../database-error.ts'
import { installCommand, packageManagerOf, projectOf } from './package-manager.ts'

export interface InstalledSqlite {
  readonly version: string
  readonly folder: string
  /** Reads the binary for this version of Node, which was compiled or downloaded. Version 13 has no such binary. */
  readonly readBinary: () => Buffer
}

/** A part of `process.versions`. `napi` is the newest supported Node-API, the interface of native modules. */
export interface NodeVersions {
  readonly node: string
  readonly napi?: string | undefined
  readonly bun?: string | undefined
}

/** Every `better-sqlite3` that this file could import, the nearest first. */
export function findInstalledSqlite(): InstalledSqlite[] {
  const folders = createRequire(import.meta.url).resolve.paths('better-sqlite3') ?? []
  return folders
    .map((folder) => join(folder, 'better-sqlite3'))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => {
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        version: string
      }
      const binary = join(folder, 'build', 'Release', 'better_sqlite3.node')
      return { version, folder, readBinary: () => readFileSync(binary) }
    })
}

/**
 * Returns the nearest installed SQLite that does not crash this version of Node. npm installs the right version. Other package
 * managers install the newest version or none, and a lock file that was written with a different version of Node may contain the
 * wrong version. The user can then add the right version to the project.
 */
export function chooseSqlite(node: NodeVersions, installed: readonly InstalledSqlite[]): InstalledSqlite {
  const fitting = installed.find((one) => whyItCannotLoad(node, one) === undefined)
  if (fitting !== undefined) return fitting
  const [nearest] = installed
  const why = nearest ? whyItCannotLoad(node, nearest) : 'better-sqlite3 is not installed'
  const path = nearest?.folder ?? import.meta.filename
  const command = installCommand(packageManagerOf(path), runsVersion13(node) ? 13 : 12)
  throw new DatabaseError(
    `SQLite cannot be loaded: ${why}. To install the version for ${runtimeOf(node)}, run \`${command}\` in ${projectOf(path)}.`,
  )
}

/** Why an installed SQLite would crash this Node. */
function whyItCannotLoad(node: NodeVersions, installed: InstalledSqlite): string | undefined {
  const { version } = installed
  const major = Number.parseInt(version, 10)
  if (major >= 13 && !runsVersion13(node)) {
    return `better-sqlite3 ${version} needs Node 22.14 or newer, and this is ${runtimeOf(node)}`
  }
  if (major < 13 && node.bun !== undefined) {
    return `better-sqlite3 ${version} is compiled for Node, and this is ${runtimeOf(node)}`
  }
  if (major === 12 && node.node.startsWith('24.') && hasCleanupHooks(installed)) {
    return `better-sqlite3 ${version} was compiled in a way that crashes Node 24`
  }
  return undefined
}

const runtimeOf = ({ bun, node }: NodeVersions): string => (bun === undefined ? `Node ${node}` : `Bun ${bun}`)

/**
 * Whether this Node can run version 13, which uses Node-API 10. Its `engines` allow Node 22.0, where it crashes
 * (https://github.com/WiseLibs/better-sqlite3/issues/1514).
 */
const runsVersion13 = ({ napi }: NodeVersions): boolean => Number(napi) >= 10

/** Since 24.19, the headers of Node 24 contain the bug https://github.com/nodejs/node/issues/65446. */
function hasCleanupHooks({ readBinary }: InstalledSqlite): boolean {
  try {
    return readBinary().includes('RemoveEnvironmentCleanupHook')
  } catch {
    // The binary is missing. Loading it will report that.
    return false
  }
}
