import type { CheckedOrder, ReceiverProblem } from '../../contract/checks/check.ts'

export interface SeenProblem {
  readonly problem: ReceiverProblem
  readonly seen: string
  /** `seen` without the target, which can differ between orders. Missing if `seen` does not name it. */
  readonly cause?: string
}

export interface ReceiverFailure extends SeenProblem {
  /** What was seen, without the values of one order, so that the same failure of two orders has the same cause. */
  readonly cause: string
}

export function createFailure(
  seenProblem: SeenProblem,
  { order, note, payId, id, linkId }: CheckedOrder,
): ReceiverFailure {
  const { seen, cause = seen } = seenProblem
  const orderValues = [order ?? '', note, linkId, String(payId), String(id)]
    .filter((value) => value !== '')
    .flatMap((value) => [value, encodeURIComponent(value)])
  return {
    ...seenProblem,
    cause: orderValues.reduce((rest, value) => rest.replaceAll(value, '…'), cause),
  }
}
