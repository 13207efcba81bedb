type Pairs = readonly (readonly [name: string, value: string])[]

export interface Difference {
  readonly name: string
  /** `undefined` if only the other side has it. */
  readonly left: string | undefined
  readonly right: string | undefined
}

export interface Comparison {
  readonly different: readonly Difference[]
  /** The names whose values are equal. */
  readonly equal: readonly string[]
}

/** Compares two lists of names and values. Repeated names are compared in their order. */
export function compareLists(left: Pairs, right: Pairs): Comparison {
  const [ofLeft, ofRight] = [valuesByName(left), valuesByName(right)]
  const different: Difference[] = []
  const equal: string[] = []
  for (const name of new Set([...ofLeft.keys(), ...ofRight.keys()])) {
    const [one, other] = [ofLeft.get(name)?.join('\n'), ofRight.get(name)?.join('\n')]
    if (one === other) equal.push(name)
    else different.push({ name, left: one, right: other })
  }
  return { different, equal }
}

function valuesByName(pairs: Pairs): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value])
  return values
}
