import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { toEuros, type Cents } from '../money/money.ts'

/** How a payment ended, in the service's own spelling. */
export type PaymentOutcome = 'Success' | 'cancel'

/** The spelling in force: the documented one, or all lower case. */
export type StatusText = PaymentOutcome | 'success'

export interface WebhookBody {
  readonly contentType: string
  readonly text: string
}

interface WebhookFields {
  readonly payId: number
  readonly note: string
  readonly amount: Cents
  readonly accountId: string
  readonly status: StatusText
}

export const spellStatus = (outcome: PaymentOutcome, spelling: BehaviorSettings['statusText']): StatusText =>
  spelling === 'documented' || outcome === 'cancel' ? outcome : 'success'

/** Writes a webhook's body, field by field in the reference's order. */
export function webhookBody(
  { payId, note, amount, accountId, status }: WebhookFields,
  encoding: BehaviorSettings['webhookEncoding'],
  amountText: BehaviorSettings['amountText'],
): WebhookBody {
  const euros = amountText === 'shortest' ? String(toEuros(amount)) : toEuros(amount).toFixed(2)

  if (encoding === 'json') {
    // Assembled by hand because no JSON writer prints the number 100.00.
    const text = `{"ResponseCode":1,"data":{"pay_id":${payId},"note":${JSON.stringify(note)},"amount":${euros},"user_id":${JSON.stringify(accountId)},"status":"${status}"}}`
    return { contentType: 'application/json', text }
  }
  const pairs = new URLSearchParams([
    ['ResponseCode', '1'],
    ['data[pay_id]', String(payId)],
    ['data[note]', note],
    ['data[amount]', euros],
    ['data[user_id]', accountId],
    ['data[status]', status],
  ])
  return { contentType: 'application/x-www-form-urlencoded', text: pairs.toString() }
}
