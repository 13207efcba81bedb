import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Creates a folder and its missing parents. Node's own `recursive` never returns if a folder cannot be created, for example
 * below /proc.
 */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const above = dirname(folder)
    if (!isMissing || above === folder || existsSync(above)) throw error
    makeFolder(above, mode)
    makeFolder(folder, mode)
  }
}

/** The folder of the default database file. */
const DEFAULT_FOLDER = '.paylink'

/**
 * Creates a folder for a database, readable only by its owner. If it is the default folder and did not exist, tells Git to ignore
 * it.
 */
export function makeDataFolder(folder: string): void {
  const isNew = !existsSync(folder)
  makeFolder(folder, 0o700)
  if (isNew && basename(folder) === DEFAULT_FOLDER) writeFileSync(join(folder, '.gitignore'), '*\n')
}
