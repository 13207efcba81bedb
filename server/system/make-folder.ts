import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates a folder and its missing parents. Node's `recursive` never returns if one cannot be created, for example below /proc. */
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
