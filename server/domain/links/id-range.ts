import type { BehaviorSettings } from '../behaviors/behavior.ts'

/** A range of numbers for the ids of links, and for their pay_ids if the two must differ. */
export interface IdRange {
  readonly first: number
  readonly last: number
  /**
   * The offset from the id to the `pay_id` if the two must differ. Ids and their pay_ids alternate in spans of this
   * length, so that no number is both.
   */
  readonly payIdOffset: number
}

/** The shared range of all accounts without their own block, such as the seeded ones: 1001 and 700001. */
export const sharedIdRange: IdRange = { first: 1001, last: 9_999_999, payIdOffset: 699_000 }

/** The numbers that a block can have. All its ids are above the shared range, and fit into 32 bits. */
export const FIRST_BLOCK = 1_000
export const LAST_BLOCK = 214_000

const BLOCK_SIZE = 10_000

/** The numbers of one block. A block belongs to one account. */
export const blockIdRange = (block: number): IdRange => ({
  first: block * BLOCK_SIZE + 1,
  last: (block + 1) * BLOCK_SIZE,
  payIdOffset: BLOCK_SIZE / 2,
})

/** The range to which an id belongs, regardless of the account. */
export function findIdRange(id: number): IdRange {
  const block = Math.floor((id - 1) / BLOCK_SIZE)
  return block >= FIRST_BLOCK && block <= LAST_BLOCK ? blockIdRange(block) : sharedIdRange
}

/** The id after the newest one, or `undefined` if the range is exhausted. */
export function nextId(
  { first, last, payIdOffset }: IdRange,
  newest: number | undefined,
): number | undefined {
  const next = newest === undefined ? first : newest + 1
  // Spans of `payIdOffset` ids alternate with spans for their distinct pay_ids.
  const position = (next - first) % (2 * payIdOffset)
  const id = position < payIdOffset ? next : next + 2 * payIdOffset - position
  return id + payIdOffset > last ? undefined : id
}

export const payIdFor = (id: number, relation: BehaviorSettings['payId'], { payIdOffset }: IdRange): number =>
  relation === 'same' ? id : id + payIdOffset
