import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDatabaseFile, printableDatabase } from '../../platform/system/database-name.ts'
import { startOptions } from '../../runtime/config/options.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import { fileIn, type CliIo } from '../io.ts'

/** The files of a sandbox in the background. They are how `stop` and a second `start` find it. */
interface BackgroundFiles {
  /** The database, as messages name it. */
  readonly database: string
  /** Says how to reach the sandbox while it runs. */
  readonly record: string
  readonly log: string
}

/** The files are beside the database. Without a database file, host and port tell sandboxes apart. */
export function backgroundFilesOf(
  { db, host, port }: Pick<StartOptions, 'db' | 'host' | 'port'>,
  io: CliIo,
): BackgroundFiles {
  if (isDatabaseFile(db)) return { database: db, ...filesAt(resolveLink(fileIn(io, db))) }
  const isDefaultHost = host === startOptions.host.default
  // An address such as `::1` is no file name on Windows.
  const hostPart = isDefaultHost ? '' : `${host.replaceAll(/[^\w.-]/g, '_')}-`
  // Until the sandbox has got a free port, the id of the command that starts it keeps its log apart from others.
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

/** The file that a symbolic link leads to, so that every name of a database has the same record. */
function resolveLink(file: string): string {
  try {
    return lstatSync(file).isSymbolicLink() ? realpathSync(file) : file
  } catch {
    // The file does not exist yet, or the error of opening it says what is wrong.
    return file
  }
}
