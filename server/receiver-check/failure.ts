import type { CheckedOrder } from '../contract/check.ts'

/** Why a webhook failed. */
export interface Failure {
  readonly seen: string
  /** The same without what belongs to one order. Two orders that fail alike have the same cause. */
  readonly cause: string
}

export function failureOf(seen: string, { note, payId, id, linkId }: CheckedOrder): Failure {
  const own = [note, linkId, String(payId), String(id)]
    .filter((value) => value !== '')
    .flatMap((value) => [value, encodeURIComponent(value)])
  return { seen, cause: own.reduce((text, value) => text.replaceAll(value, '…'), seen) }
}
