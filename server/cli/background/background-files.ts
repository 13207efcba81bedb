import { dirname, join } from 'node:path'
import { isDatabaseFile, printableDatabase } from '../../platform/system/database-name.ts'
import { startOptions } from '../../runtime/config/options.ts'
import { fileIn, type CliIo } from '../io.ts'

/** The files of a sandbox in the background. They are how `stop` and a second `start` find it. */
export interface BackgroundFiles {
  /** The database, as messages name it. */
  readonly database: string
  /** Says how to reach the sandbox while it runs. */
  readonly record: string
  readonly log: string
}

/** The files are beside the database. Without a database file, the port tells sandboxes apart. */
export function backgroundFilesOf(
  { db, port }: { readonly db: string; readonly port: number },
  io: CliIo,
): BackgroundFiles {
  const isFile = isDatabaseFile(db)
  const base = isFile ? db : join(dirname(startOptions.db.default), `port-${port}`)
  return {
    database: isFile ? db : `${printableDatabase(db)} and port ${port}`,
    record: fileIn(io, `${base}.background.json`),
    log: fileIn(io, `${base}.log`),
  }
}

/** The command that stops the sandbox, as the user can paste it. */
export function stopCommand({ db, port }: { readonly db: string; readonly port: number }): string {
  const flags = isDatabaseFile(db)
    ? db === startOptions.db.default
      ? []
      : ['--db', quoted(db)]
    : ['--db', quoted(printableDatabase(db)), '--port', String(port)]
  return ['npx paylink-sandbox stop', ...flags].join(' ')
}

/** Double quotes work in every shell. */
const quoted = (text: string): string => (/^[\w.:/\\-]+$/.test(text) ? text : `"${text}"`)
