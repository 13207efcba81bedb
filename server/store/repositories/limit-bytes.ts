/** The maximum size of a page, unless its first row is larger. All other work waits while a page is read. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024

/** The first rows that fit on one page, or at least the first row. */
export function limitBytes<Row extends { readonly size: number }>(rows: readonly Row[]): readonly Row[] {
  let bytes = 0
  const end = rows.findIndex(({ size }, index) => (bytes += size) > MAX_PAGE_BYTES && index > 0)
  return end === -1 ? rows : rows.slice(0, end)
}
