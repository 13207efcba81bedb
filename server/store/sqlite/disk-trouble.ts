import { rmSync, writeFileSync } from 'node:fs'
import { fileTroubleOf, type Trouble } from '../../platform/system/file-trouble.ts'

/** More than a few calls write, so that there is also space for the next calls. */
const PROBE_BYTES = 256 * 1024

/**
 * Why the disk of a database accepts no more data. `undefined` if it accepts data. Writes a file next to the database and removes
 * it, because the free space that a disk reports ignores quotas.
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
    // The next call removes the file.
  }
}
