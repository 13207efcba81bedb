import { SqliteAdapter } from 'kysely'
import type { CachingAdapter, ReadCache, Run } from '../read-cache.ts'

export class CachingSqliteAdapter extends SqliteAdapter implements CachingAdapter {
  readonly cache: ReadCache
  readonly run: Run

  constructor(cache: ReadCache, run: Run) {
    super()
    this.cache = cache
    this.run = run
  }
}
