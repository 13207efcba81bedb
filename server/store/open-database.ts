import { isDatabaseUrl } from '../platform/system/database-name.ts'
import type { Engine, ReplicaPlace } from './engine.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/**
 * Opens a database, and creates the tables if it is empty. `name` is a file, `:memory:` or a URL. With `place`, waits until this
 * process leads.
 */
export async function openDatabase(name: string, place?: ReplicaPlace): Promise<Engine> {
  if (!isDatabaseUrl(name)) return openSqlite(name)
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(name, place)
}
