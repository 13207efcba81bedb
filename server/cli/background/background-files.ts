import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDatabaseFile, printableDatabase } from '../../platform/system/database-name.ts'
import { startOptions } from '../../runtime/config/options.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import { fileIn, type CliIo } from '../io.ts'

/** The files of a sandbox in the background. `stop` and a second `start` find the sandbox through them. */
interface BackgroundFiles {
  /** The name of the database in messages. */
  readonly database: string
  /** The file that says how to reach the sandbox while it runs. */
  readonly record: string
  readonly log: string
}

/** The files are next to the database. If it is not a file, host and port distinguish sandboxes. */
export function backgroundFilesOf(
  { db, host, port }: Pick<StartOptions, 'db' | 'host' | 'port'>,
  io: CliIo,
): BackgroundFiles {
  if (isDatabaseFile(db)) return { database: db, ...filesAt(resolveLink(fileIn(io, db))) }
  const isDefaultHost = host === startOptions.host.default
  // An address such as `::1` is not a valid file name on Windows.
  const hostPart = isDefaultHost ? '' : `${host.replaceAll(/[^\w.-]/g, '_')}-`
  // The port is not known yet, so the process id of the starting command makes the name of the log unique.
  const portPart = port === 0 ? `0-${process.pid}` : port
  const base = join(dirname(startOptions.db.default), `${hostPart}port-${portPart}`)
  return {
    database: `${printableDatabase(db)}${isDefaultHost ? '' : `, host ${host}`} and port ${port}`,
    ...filesAt(fileIn(io, base)),
  }
}

const filesAt = (base: string): Pick<BackgroundFiles, 'record' | 'log'> => ({
  record: `${base}.background.json`,
  log: `${base}.log`,
})

/** The file that a symbolic link leads to, so that a database has one record whichever of its names is used. */
function resolveLink(file: string): string {
  try {
    return lstatSync(file).isSymbolicLink() ? realpathSync(file) : file
  } catch {
    // Either the file does not exist yet, or opening the file will report the error.
    return file
  }
}
