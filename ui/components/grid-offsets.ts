export const SEPARATOR_HEIGHT = 32

/** The positions of rows and separators, in pixels from the top of the list. */
export function gridOffsets(separators: readonly { readonly index: number }[], rowHeight: number) {
  /** The height of the separators above a row, with or without its own. */
  const heightAbove = (index: number, isIncluded: boolean): number => {
    let low = 0
    let high = separators.length
    while (low < high) {
      const middle = (low + high) >> 1
      const at = separators[middle]!.index
      if (at < index || (isIncluded && at === index)) low = middle + 1
      else high = middle
    }
    return low * SEPARATOR_HEIGHT
  }
  const ofRow = (index: number): number => index * rowHeight + heightAbove(index, true)

  return {
    ofRow,
    /** Where the separator of a row begins. If it has none, where the row begins. */
    ofSeparator: (index: number): number => index * rowHeight + heightAbove(index, false),
    /** The last row that begins at or above a position. */
    rowAt(position: number, count: number): number {
      let low = 0
      let high = Math.max(0, count - 1)
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (ofRow(middle) <= position) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}
