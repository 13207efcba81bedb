import { printMessage, type CliIo } from './io.ts'

const DEFAULT_LIMIT = 100

/** If a page of a list is full, prints the flag that lists the next page to stderr. */
export function printNextPage<Item>(
  page: readonly Item[],
  limit = DEFAULT_LIMIT,
  flagAfter: (last: Item) => string,
  io: CliIo,
): void {
  if (page.length === limit) printMessage(io, `There may be more: add ${flagAfter(page.at(-1)!)}`)
}
