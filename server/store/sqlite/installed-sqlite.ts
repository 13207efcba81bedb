import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The installed package `better-sqlite3`. */
export interface InstalledSqlite {
  readonly version: string
  /** Reads the binary that was compiled or downloaded for this version of Node. Version 13 has none. */
  readonly readBinary: () => Buffer
}

export function findInstalledSqlite(): InstalledSqlite {
  const file = createRequire(import.meta.url).resolve('better-sqlite3/package.json')
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  const binary = join(dirname(file), 'build', 'Release', 'better_sqlite3.node')
  return { version, readBinary: () => readFileSync(binary) }
}

/**
 * Says what to install if the installed SQLite would crash the process. npm chooses the version that fits.
 * Other package managers, and lock files from another version of Node, may not.
 */
export function whyNotLoad(nodeVersion: string, installed: InstalledSqlite): string | undefined {
  const node = majorOf(nodeVersion)
  const sqlite = majorOf(installed.version)
  if (node < 22 && sqlite >= 13) {
    return `better-sqlite3 ${installed.version} needs Node 22, and this is Node ${nodeVersion}. Install better-sqlite3@12, or use a newer Node.`
  }
  if (node === 24 && sqlite === 12 && hasCleanupHooks(installed)) {
    return `better-sqlite3 ${installed.version} was compiled in a way that crashes Node 24. Run \`npm update better-sqlite3\`, or install better-sqlite3@13.`
  }
  return undefined
}

const majorOf = (version: string): number => Number.parseInt(version, 10)

/** Since 24.19, the headers of Node 24 contain the bug https://github.com/nodejs/node/issues/65446. */
function hasCleanupHooks({ readBinary }: InstalledSqlite): boolean {
  try {
    return readBinary().includes('RemoveEnvironmentCleanupHook')
  } catch {
    // The binary is missing. Loading it reports that.
    return false
  }
}
