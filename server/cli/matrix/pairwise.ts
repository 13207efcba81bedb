import { baselineOf, type Combination, type Factor } from './factor.ts'

/**
 * Combinations in which every pair of values stands together, but for those that stand together in `covered`
 * already. Greedy and always the same: each combination is the one that brings most of the pairs that are open, of
 * those that begin with an open pair.
 */
export function pairwise(factors: readonly Factor[], covered: readonly Combination[]): Combination[] {
  // Those with most values first, as they leave the least choice.
  const wide = factors.toSorted((one, other) => other.values.length - one.values.length)
  const pairs = new OpenPairs(wide.map(({ values }) => values.length))
  for (const combination of covered) {
    pairs.close(wide.map(({ name, values }) => values.indexOf(combination[name]!)))
  }

  const rows: Combination[] = []
  for (let row = pairs.best(); row !== undefined; row = pairs.best()) {
    const places = row
    pairs.close(places)
    const named = wide.map(({ name, values }, factor) => [name, values[places[factor]!]] as const)
    // In the order in which the factors were given.
    rows.push({ ...baselineOf(factors), ...Object.fromEntries(named) })
  }
  return rows
}

/** Pairs of values that have not stood together, each value by its place in its factor. */
class OpenPairs {
  readonly #sizes: readonly number[]
  /** Where the values of each factor begin, counted through. */
  readonly #begins: readonly number[]
  /** By value and value. One factor alone is a pair with itself. */
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

  /** A place of -1 is of no value. */
  close(places: readonly number[]): void {
    const ids = places.flatMap((place, factor) => (place === -1 ? [] : this.#begins[factor]! + place))
    for (const id of ids) for (const other of ids) this.#open.get(id)!.delete(other)
  }

  /** The row that brings most. `undefined` where nothing is open any more. */
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

  /** Begins with a value, and gives every other factor the one that brings most, one after another. */
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
