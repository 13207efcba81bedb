import type { BehaviorSettings } from '../behaviors/behavior.ts'

/** A range of ids for links. If pay_ids must differ from ids, they come from the same range. */
export interface IdRange {
  readonly first: number
  readonly last: number
  /**
   * The difference between an id and its `pay_id` if the two must differ. Spans of this length alternate between ids and their
   * pay_ids, so no number is both an id and a `pay_id`.
   */
  readonly payIdOffset: number
}

/** The range for accounts without a block of their own, such as the seeded accounts. Ids start at 1001, pay_ids at 700001. */
export const sharedIdRange: IdRange = { first: 1001, last: 9_999_999, payIdOffset: 699_000 }

/** The numbers of the first and the last block. All ids in blocks are above the shared range, and fit into 32 bits. */
export const FIRST_BLOCK = 1_000
export const LAST_BLOCK = 214_000

const BLOCK_SIZE = 10_000

/** The ids of one block. Each block belongs to one account. */
export const blockIdRange = (block: number): IdRange => ({
  first: block * BLOCK_SIZE + 1,
  last: (block + 1) * BLOCK_SIZE,
  payIdOffset: BLOCK_SIZE / 2,
})

/** The range that contains an id, whichever account it belongs to. */
export function findIdRange(id: number): IdRange {
  const block = Math.floor((id - 1) / BLOCK_SIZE)
  return block >= FIRST_BLOCK && block <= LAST_BLOCK ? blockIdRange(block) : sharedIdRange
}

/** The id after the newest one. `undefined` if the range is used up. */
export function nextId(
  { first, last, payIdOffset }: IdRange,
  newest: number | undefined,
): number | undefined {
  const next = newest === undefined ? first : newest + 1
  // Ids and distinct pay_ids alternate in spans of `payIdOffset` numbers.
  const position = (next - first) % (2 * payIdOffset)
  const id = position < payIdOffset ? next : next + 2 * payIdOffset - position
  return id + payIdOffset > last ? undefined : id
}

export const payIdFor = (id: number, relation: BehaviorSettings['payId'], { payIdOffset }: IdRange): number =>
  relation === 'same' ? id : id + payIdOffset
