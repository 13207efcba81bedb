import { baselineOf, type Combination, type Factor } from './factor.ts'

/**
 * Combinations that contain every pair of values, except pairs that `covered` contains already. Greedy and deterministic:
 * each combination starts with an open pair, and adds the most open pairs.
 *
 * The library `covertable` cannot leave out covered pairs, needs more rows, and covers a single factor with one row only.
 */
export function pairwise(factors: readonly Factor[], covered: readonly Combination[]): Combination[] {
  // Factors with the most values first, because they leave the least choice.
  const mostValuesFirst = factors.toSorted((one, other) => other.values.length - one.values.length)
  const pairs = new OpenPairs(mostValuesFirst.map(({ values }) => values.length))
  for (const combination of covered) {
    pairs.close(mostValuesFirst.map(({ name, values }) => values.indexOf(combination[name]!)))
  }

  const rows: Combination[] = []
  for (let row = pairs.best(); row !== undefined; row = pairs.best()) {
    const places = row
    pairs.close(places)
    const named = mostValuesFirst.map(({ name, values }, factor) => [name, values[places[factor]!]] as const)
    // The keys keep the order of the factors.
    rows.push({ ...baselineOf(factors), ...Object.fromEntries(named) })
  }
  return rows
}

/** Pairs of values that no combination contains yet. Each value is its index in its factor. */
class OpenPairs {
  readonly #sizes: readonly number[]
  /** Numbers the values of all factors consecutively. Contains the number of each factor's first value. */
  readonly #begins: readonly number[]
  /**
   * By the number of a value: the numbers of the values with which it is an open pair. With a single factor, each value
   * pairs with itself.
   */
  readonly #open: ReadonlyMap<number, Set<number>>

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes
    this.#begins = sizes.map((_size, factor) => sizes.slice(0, factor).reduce((sum, size) => sum + size, 0))
    const values = sizes.flatMap((size, factor) =>
      Array.from({ length: size }, (_, place) => ({ factor, id: this.#begins[factor]! + place })),
    )
    this.#open = new Map(
      values.map(({ id, factor }) => {
        const others = values.filter(
          (other) => other.factor !== factor || (sizes.length === 1 && other.id === id),
        )
        return [id, new Set(others.map((other) => other.id))]
      }),
    )
  }

  /** An index of -1 stands for no value. */
  close(places: readonly number[]): void {
    const ids = places.flatMap((place, factor) => (place === -1 ? [] : this.#begins[factor]! + place))
    for (const id of ids) for (const other of ids) this.#open.get(id)!.delete(other)
  }

  /** The row that adds the most open pairs. `undefined` if there are none. */
  best(): readonly number[] | undefined {
    let most = 0
    let row: readonly number[] | undefined
    for (const [factor, size] of this.#sizes.entries()) {
      for (let place = 0; place < size; place += 1) {
        if (this.#open.get(this.#begins[factor]! + place)!.size === 0) continue
        for (let shift = 0; shift < this.#sizes.length; shift += 1) {
          const filled = this.#filled(factor, place, shift)
          if (filled.gain > most) [row, most] = [filled.places, filled.gain]
        }
      }
    }
    return row
  }

  /** Starts with one value, then picks for each other factor the value that adds the most open pairs. */
  #filled(first: number, value: number, shift: number): { places: readonly number[]; gain: number } {
    const places: number[] = Array.from(this.#sizes, () => -1)
    places[first] = value
    const ids = [this.#begins[first]! + value]
    let gain = this.#sizes.length === 1 ? 1 : 0
    for (let step = 0; step < this.#sizes.length; step += 1) {
      const factor = (step + shift) % this.#sizes.length
      if (factor === first) continue
      let most = -1
      let chosen = 0
      for (let place = 0; place < this.#sizes[factor]!; place += 1) {
        const open = this.#open.get(this.#begins[factor]! + place)!
        const brings = ids.reduce((sum, id) => sum + Number(open.has(id)), 0)
        if (brings > most) [chosen, most] = [place, brings]
      }
      places[factor] = chosen
      ids.push(this.#begins[factor]! + chosen)
      gain += most
    }
    return { places, gain }
  }
}
