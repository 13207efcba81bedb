import type { CallerProblem } from '../../../contract/checks/caller-check.ts'
import type { CheckedOrder, Fact, ReceiverProblem } from '../../../contract/checks/check.ts'

/** A problem that both checks can find, such as a wrong state of an order. */
export type CommonProblem = ReceiverProblem & CallerProblem

export interface SeenProblem<Problem extends ReceiverProblem = ReceiverProblem> {
  readonly problem: Problem
  readonly seen: string
  /** `seen` without the target, which differs between orders. Missing if `seen` contains no target. */
  readonly cause?: string
  /** Whether only a good webhook for another order failed, which was sent after the webhooks of the case. */
  readonly isOtherOrder?: true
  /** Set if the case failed only because the app did not respond in time. */
  readonly isLate?: true
  /** What certainly explains the failure. */
  readonly fact?: Fact
}

export interface ReceiverFailure extends SeenProblem {
  /** What was seen, without values of a single order, so that the same failure of two orders has the same cause. */
  readonly cause: string
}

/** The field `isLate` of a failure, set if a response did not come in time. */
export const late = (isLate: boolean): { readonly isLate?: true } => (isLate ? { isLate } : {})

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

/** The failure that a run throws, for the caller to ignore or to throw later. `undefined` if it finds nothing wrong. */
export async function failureOf<Failure extends Error>(
  kind: abstract new (...args: never[]) => Failure,
  run: () => void | Promise<void>,
): Promise<Failure | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
}
