/**
 * Finds a minimal part of a list for which `holds` is true: no single item can be left out. It must be true for the whole
 * list. Large pieces are tried first (delta debugging, ddmin).
 */
export async function minimize<Item>(
  items: readonly Item[],
  holds: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let rest = items
  let size = Math.ceil(rest.length / 2)
  while (rest.length > 1) {
    const shorter = await cut(rest, size, holds)
    if (shorter) rest = shorter
    else if (size === 1) return rest
    size = Math.max(1, Math.ceil(Math.min(size, rest.length) / 2))
  }
  return rest
}

/** The list without one piece of this size, if `holds` is still true. */
async function cut<Item>(
  items: readonly Item[],
  size: number,
  holds: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[] | undefined> {
  for (let from = 0; from < items.length; from += size) {
    const without = items.toSpliced(from, size)
    if (without.length > 0 && (await holds(without))) return without
  }
  return undefined
}
