import { isRetryWaits } from '../../domain/behaviors/retry-waits.ts'
import type { CalibrationPoint } from '../../contract/schemas/calibration.ts'

/** When the redirect and the webhooks of one payment arrived, in milliseconds of the same clock. */
export interface PaymentTiming {
  readonly redirectAt: number | undefined
  /** The attempts. The receiver made all of them fail, and `answeredAt` is when it responded. */
  readonly attempts: readonly { readonly at: number; readonly answeredAt: number }[]
  /** How long nothing more arrived after the last attempt. */
  readonly quietMs: number
}

const duration = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`

/**
 * Finds out whether the redirect waits for the webhook, or the webhook for the redirect. The receiver responds to the first
 * attempt only when the redirect has arrived, or after some seconds.
 */
export function evaluateSequence(
  { redirectAt, attempts: [first] }: PaymentTiming,
  on: string,
): CalibrationPoint {
  const confirmed = (value: string): CalibrationPoint => ({ verdict: 'confirmed', value, exchanges: 2, on })
  if (redirectAt === undefined) return { verdict: 'undecided', reason: 'No redirect arrived.' }
  if (first === undefined) return { verdict: 'undecided', reason: 'No webhook arrived.' }
  if (redirectAt < first.at) {
    return {
      verdict: 'undecided',
      reason: `The redirect arrived ${duration(first.at - redirectAt)} before the webhook, which fits redirect-first and together.`,
    }
  }
  return confirmed(redirectAt <= first.answeredAt ? 'together' : 'webhook-first')
}

/**
 * Two webhooks that arrive within this time are duplicates, because the second one cannot have waited until the first one failed.
 */
const MIN_WAIT_MS = 500

/** Finds out how long the service waits before it sends a failed webhook again. */
export function evaluateRetries({ attempts, quietMs }: PaymentTiming, on: string): CalibrationPoint {
  const [first, ...later] = attempts
  if (first === undefined) return { verdict: 'undecided', reason: 'No webhook arrived.' }
  const waits: string[] = []
  let { answeredAt } = first
  for (const next of later) {
    const waitMs = next.at - answeredAt
    if (waitMs >= MIN_WAIT_MS) waits.push(`${Math.max(1, Math.round(waitMs / 1000))}s`)
    answeredAt = Math.max(answeredAt, next.answeredAt)
  }
  const value = waits.join(',')
  if (isRetryWaits(value)) return { verdict: 'confirmed', value, exchanges: waits.length + 1, on }
  const reason =
    waits.length > 0
      ? `The failed webhook was sent again after ${value}, and the behavior has no such option.`
      : `${later.length === 0 ? '' : `${attempts.length} webhooks came at once. `}The failed webhook was not sent again within ${duration(quietMs)}.`
  return { verdict: 'undecided', reason }
}
