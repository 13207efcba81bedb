import type { CheckedOrder, ReceiverProblem } from '../contract/check.ts'

/** What is wrong. */
export interface Judgement {
  readonly problem: ReceiverProblem
  readonly seen: string
}

/** Why a webhook failed. */
export interface Failure extends Judgement {
  /** `seen` without the values of one order, so that the same failure of two orders has the same cause. */
  readonly cause: string
}

export function createFailure(
  judgement: Judgement,
  { order, note, payId, id, linkId, targets }: CheckedOrder,
): Failure {
  const { seen } = judgement
  const orderValues = [...targets.map(({ url }) => url), order ?? '', note, linkId, String(payId), String(id)]
    .filter((value) => value !== '')
    .flatMap((value) => [value, encodeURIComponent(value)])
  return { ...judgement, cause: orderValues.reduce((text, value) => text.replaceAll(value, '…'), seen) }
}
