import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder, and those above that are missing. Node's own `recursive` never returns where one cannot be, as below /proc. */
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
