import type { Kysely } from 'kysely'
import { setImmediate as otherWork } from 'node:timers/promises'
import { TURN_MS } from '../platform/system/turns.ts'
import * as meta from './meta.ts'
import type { Database } from './schema.ts'

const FIRST_SIZE = 500
const MAX_SIZE = 20_000
/** A slice may be at most this many times larger than the previous one. */
const MAX_GROWTH = 4

/** A range of ids that includes `first` and `last`. */
export interface Slice {
  readonly first: number
  readonly last: number
}

/** The ids to read, and their sequence. */
interface Range extends Slice {
  readonly newestFirst: boolean
  /** The last id of a slice of `size` rows that begins at `from`. By default, ids have no gaps. */
  readonly reach?: (from: number, size: number) => Promise<number>
}

/**
 * Divides a range of ids into slices, so that other work can run in between, in this process and on the only connection to a
 * server. The time for a row differs a lot between queries, so the size of a slice depends on how long the previous slice took.
 */
async function* slicesOf({ first, last, newestFirst, reach }: Range): AsyncGenerator<Slice> {
  const step = newestFirst ? -1 : 1
  const [begin, end] = newestFirst ? [last, first] : [first, last]
  const isLeft = (id: number): boolean => (newestFirst ? id >= end : id <= end)
  let size = FIRST_SIZE
  for (let from = begin; isLeft(from);) {
    const reached = reach ? await reach(from, size) : from + step * (size - 1)
    const to = isLeft(reached) ? reached : end
    const beganAt = performance.now()
    yield newestFirst ? { first: to, last: from } : { first: from, last: to }
    const perMs = size / Math.max(performance.now() - beganAt, TURN_MS / MAX_GROWTH)
    size = Math.max(1, Math.min(MAX_SIZE, Math.round(perMs * TURN_MS)))
    from = to + step
    if (isLeft(from)) await otherWork()
  }
}

/**
 * Reads up to `limit` rows with a query that may have to go through many rows to find a few. `read` returns the rows of one
 * slice, sorted like the range. Begins again if a reset or a restore has replaced the rows.
 */
export async function listInSlices<Row>(
  db: Kysely<Database>,
  range: () => Promise<Range>,
  limit: number,
  read: (slice: Slice, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  for (;;) {
    const epoch = await meta.read(db, 'epoch')
    const rows: Row[] = []
    for await (const slice of slicesOf(await range())) {
      for (const row of await read(slice, limit - rows.length)) rows.push(row)
      if (rows.length >= limit) break
    }
    if ((await meta.read(db, 'epoch')) === epoch) return rows
  }
}
