/** A name, and the values that it can have. */
interface Factor<Name extends string> {
  readonly name: Name
  readonly values: readonly string[]
}

/**
 * Combinations that contain every pair of values of two different factors. Each combination begins with a pair that is still
 * missing, and then takes the values that cover the most missing pairs.
 */
export function pairwise<Name extends string>(
  factors: readonly Factor<Name>[],
): Readonly<Partial<Record<Name, string>>>[] {
  const all = factors.flatMap(({ name, values }) => values.map((value) => ({ name, value })))
  type Choice = (typeof all)[number]
  const keyOf = (...pair: readonly Choice[]): string =>
    pair
      .map(({ name, value }) => `${name}=${value}`)
      .toSorted()
      .join(' ')
  const missing = new Map(
    all.flatMap((one) =>
      all.filter(({ name }) => name !== one.name).map((other) => [keyOf(one, other), [one, other]] as const),
    ),
  )
  const rows: Choice[][] = []
  for (let [pair] = missing.values(); pair !== undefined; [pair] = missing.values()) {
    const row = [...pair]
    for (const { name, values } of factors.filter((one) => !row.some((choice) => choice.name === one.name))) {
      const gainOf = (choice: Choice) => row.filter((chosen) => missing.has(keyOf(choice, chosen))).length
      const choices = values.map((value) => ({ name, value }))
      row.push(choices.toSorted((one, other) => gainOf(other) - gainOf(one))[0]!)
    }
    for (const one of row) for (const other of row) missing.delete(keyOf(one, other))
    rows.push(row)
  }
  return rows.map(
    (row) => Object.fromEntries(row.map(({ name, value }) => [name, value])) as Partial<Record<Name, string>>,
  )
}
