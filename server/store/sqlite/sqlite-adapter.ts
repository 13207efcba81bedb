import { SqliteAdapter } from 'kysely'
import type { CachingAdapter, ReadCache, Run } from '../read-cache.ts'

export class CachingSqliteAdapter extends SqliteAdapter implements CachingAdapter {
  readonly cache: ReadCache
  readonly run: Run

  /** SQLite can roll back changes of the schema. Kysely then runs all migrations in one transaction. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  constructor(cache: ReadCache, run: Run) {
    super()
    this.cache = cache
    this.run = run
  }
}
