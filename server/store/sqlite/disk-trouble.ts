import { rmSync, writeFileSync } from 'node:fs'
import { fileTroubleOf, type Trouble } from '../../system/file-trouble.ts'

/** More than a few calls write, so that a call does not fail right after a successful probe. */
const PROBE_BYTES = 256 * 1024

/**
 * Why the disk of a database takes no more data, if so. Only a write shows it, as the free space that a disk reports
 * ignores quotas. So this writes a file beside the database and removes it.
 */
export function diskTrouble(database: string): Trouble | undefined {
  const file = `${database}.probe`
  try {
    rmSync(file, { force: true })
    writeFileSync(file, Buffer.alloc(PROBE_BYTES), { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    return fileTroubleOf(error)
  } finally {
    remove(file)
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The next probe removes it.
  }
}
