import type { CheckedOrder, ReceiverProblem } from '../../contract/checks/check.ts'

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
  { order, note, payId, id, linkId }: CheckedOrder,
): Failure {
  const { seen } = judgement
  const orderValues = [order ?? '', note, linkId, String(payId), String(id)]
    .filter((value) => value !== '')
    .flatMap((value) => [value, encodeURIComponent(value)])
  const text = orderValues.reduce((rest, value) => rest.replaceAll(value, '…'), seen)
  // Each link can name other targets.
  return { ...judgement, cause: text.replace(/, from \S+$/, '') }
}
