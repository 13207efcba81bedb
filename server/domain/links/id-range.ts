import type { BehaviorSettings } from '../behaviors/behavior.ts'

/** A stretch of numbers that links take their ids from, and their pay_ids where those are to differ. */
export interface IdRange {
  readonly first: number
  readonly last: number
  /**
   * How far a `pay_id` is above the id where the two must never be mistaken for each other. So many ids stand
   * together, and as many numbers behind them are left for their pay_ids.
   */
  readonly payIdOffset: number
}

/** Of the accounts without a block of their own, as the seeded ones: 1001 and 700001. */
export const sharedIdRange: IdRange = { first: 1001, last: 9_999_999, payIdOffset: 699_000 }

/** Blocks are numbered so that they begin above the shared ids and end where 32 bits do. */
export const FIRST_BLOCK = 1_000
export const LAST_BLOCK = 214_000

const BLOCK_SIZE = 10_000

/** The numbers of one block, which are one account's. */
export const blockIdRange = (block: number): IdRange => ({
  first: block * BLOCK_SIZE + 1,
  last: (block + 1) * BLOCK_SIZE,
  payIdOffset: BLOCK_SIZE / 2,
})

/** The range that an id is from, whoever has it. */
export function findIdRange(id: number): IdRange {
  const block = Math.floor((id - 1) / BLOCK_SIZE)
  return block >= FIRST_BLOCK && block <= LAST_BLOCK ? blockIdRange(block) : sharedIdRange
}

/** The id after the newest one. `undefined` where the range is used up. */
export function nextId(
  { first, last, payIdOffset }: IdRange,
  newest: number | undefined,
): number | undefined {
  const next = newest === undefined ? first : newest + 1
  const pastPayIds = ((next - first) % (2 * payIdOffset)) - payIdOffset
  const id = pastPayIds < 0 ? next : next + payIdOffset - pastPayIds
  return id + payIdOffset > last ? undefined : id
}

export const payIdFor = (id: number, relation: BehaviorSettings['payId'], { payIdOffset }: IdRange): number =>
  relation === 'same' ? id : id + payIdOffset
