import type { CheckedOrder } from '../contract/check.ts'

/** Why a webhook failed. */
export interface Failure {
  readonly seen: string
  /** `seen` without the values of one order, so that the same failure of two orders has the same cause. */
  readonly cause: string
}

export function createFailure(seen: string, { note, payId, id, linkId }: CheckedOrder): Failure {
  const orderValues = [note, linkId, String(payId), String(id)]
    .filter((value) => value !== '')
    .flatMap((value) => [value, encodeURIComponent(value)])
  return { seen, cause: orderValues.reduce((text, value) => text.replaceAll(value, '…'), seen) }
}
