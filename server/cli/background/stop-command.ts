import { quoteIfNeeded } from '../../domain/http/curl.ts'
import { isDatabaseFile, printableDatabase } from '../../platform/system/database-name.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'

/**
 * The command that stops the sandbox, ready to be pasted. Leaves out values that `stop` itself reads from the environment or the
 * configuration file.
 */
export function stopCommand(
  { db, host, port, isSet }: Pick<StartOptions, 'db' | 'host' | 'port' | 'isSet'>,
  platform = process.platform,
): string {
  const quote = platform === 'win32' ? quoteForWindows : quoteIfNeeded
  const mayDiffer = (key: 'db' | 'host'): boolean => isSet(key) || isSet('config')
  const hostFlags = mayDiffer('host') ? ['--host', quote(host)] : []
  const fileFlags = mayDiffer('db') ? ['--db', quote(db)] : []
  const flags = isDatabaseFile(db)
    ? fileFlags
    : ['--db', quote(printableDatabase(db)), ...hostFlags, '--port', String(port)]
  return ['npx paylink-sandbox stop', ...flags].join(' ')
}

/** cmd.exe does not support single quotes. On Windows, no file name contains a double quote. */
const quoteForWindows = (text: string): string => (/^[\w.:/\\-]+$/.test(text) ? text : `"${text}"`)
