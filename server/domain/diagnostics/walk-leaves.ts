import { isObject } from '../text/is-object.ts'

/** A value of a body that holds no other values. */
export interface Leaf {
  /** Like `recipients.*.share`. */
  readonly path: string
  /** Like `recipients[0].share`. */
  readonly place: string
  readonly value: unknown
}

/** How many values are visited. Objects and lists count, too. */
const MAX_VALUES = 5_000

/** The leaves of a body, in its order. */
export const listLeaves = (body: object): Leaf[] => [...walkLeaves(body, { left: MAX_VALUES })]

function* walkLeaves(holder: object, budget: { left: number }, within?: Leaf): Generator<Leaf> {
  for (const name of Object.keys(holder)) {
    if (budget.left-- <= 0) return
    const value: unknown = Reflect.get(holder, name)
    const leaf = within ? innerLeaf(within, holder, name, value) : { path: name, place: name, value }
    if (isObject(value)) yield* walkLeaves(value, budget, leaf)
    else yield leaf
  }
}

const innerLeaf = ({ path, place }: Leaf, holder: object, name: string, value: unknown): Leaf =>
  Array.isArray(holder)
    ? { path: `${path}.*`, place: `${place}[${name}]`, value }
    : { path: `${path}.${name}`, place: `${place}.${name}`, value }
