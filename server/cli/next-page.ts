import { note, type CliIo } from './io.ts'

const DEFAULT_LIMIT = 100

/** If a page of a list is full, prints the flag that lists the next page to stderr. */
export function noteNextPage<Item>(
  page: readonly Item[],
  limit = DEFAULT_LIMIT,
  flagAfter: (last: Item) => string,
  io: CliIo,
): void {
  if (page.length === limit) note(io, `There may be more: add ${flagAfter(page.at(-1)!)}`)
}
