/** How much one page holds, unless a single row is larger: whoever asks for more stops everybody else. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

/** The first of some rows, as many as fit on one page. */
export function limitBytes<Row extends { readonly size: number }>(rows: readonly Row[]): readonly Row[] {
  let bytes = 0
  const end = rows.findIndex(({ size }, index) => (bytes += size) > MAX_PAGE_BYTES && index > 0)
  return end === -1 ? rows : rows.slice(0, end)
}
