type Pairs = readonly (readonly [name: string, value: string])[]

interface Difference {
  readonly name: string
  /** `undefined` if only the other side has the entry. */
  readonly left: string | undefined
  readonly right: string | undefined
}

export interface Comparison {
  readonly different: readonly Difference[]
  /** The entries that both sides have with the same value. */
  readonly equal: readonly { readonly name: string; readonly value: string }[]
}

/**
 * Compares two lists of names and values. If a name occurs several times, its first entries are compared, then its second
 * entries, and so on.
 */
export function compareLists(left: Pairs, right: Pairs): Comparison {
  const [ofLeft, ofRight] = [valuesByName(left), valuesByName(right)]
  const different: Difference[] = []
  const equal: { name: string; value: string }[] = []
  for (const name of new Set([...ofLeft.keys(), ...ofRight.keys()])) {
    const [one, other] = [ofLeft.get(name)?.join('\n'), ofRight.get(name)?.join('\n')]
    if (one !== undefined && one === other) equal.push({ name, value: one })
    else different.push({ name, left: one, right: other })
  }
  return { different, equal }
}

function valuesByName(pairs: Pairs): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value])
  return values
}
