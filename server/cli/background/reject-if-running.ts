import { UsageError } from '../../domain/text/usage-error.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import type { CliIo } from '../io.ts'
import { isDatabaseFile, isDatabaseUrl } from '../../platform/system/database-name.ts'
import { backgroundFilesOf } from './background-files.ts'
import { readRecord } from './record.ts'
import { stopCommand } from './stop-command.ts'
import { isRunning } from './stop-running.ts'

/** Throws a `UsageError` if a sandbox already runs with this database in the background. The error contains its address. */
export async function rejectIfRunning(options: StartOptions, io: CliIo): Promise<void> {
  const { database, record: file } = backgroundFilesOf(options, io)
  const record = await readRecord(file)
  if (record === undefined || !(await isRunning(record))) return
  const { db, nameOption } = options
  // Sandboxes in memory do not share a database, so one is identified only by its host and port.
  const kind = isDatabaseFile(db) ? 'file' : isDatabaseUrl(db) ? 'database' : undefined
  const other = kind === undefined ? '' : ` and ${nameOption('db')} to another ${kind}`
  throw new UsageError(
    `A sandbox with database ${database} is already running in the background at ${record.url}. Use it, or stop it with \`${stopCommand(options)}\`. To start a second one, set ${nameOption('port')} to another port (0 picks a free one)${other}.`,
  )
}
