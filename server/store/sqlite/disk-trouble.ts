import { rmSync, writeFileSync } from 'node:fs'
import { fileTroubleOf, type Trouble } from '../../system/file-trouble.ts'

/** More than a few calls write together, so that a call does not fail right after this succeeded. */
const PROBE_BYTES = 256 * 1024

/**
 * What keeps the disk of a database from taking more, if anything. Writing a file beside the database is the only way to
 * learn it: what a disk reports as free takes no account of quotas.
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
