import { formatAmount } from '../../contract/format/values.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { CheckCase } from './check-case.ts'
import type { WebhookVariant } from '../app/webhooks/webhook-variant.ts'
import { isWrongAmount, type WrongAmount, wrongAmounts } from '../app/webhooks/wrong-amounts.ts'

const AMOUNTS: Readonly<Record<Exclude<NonNullable<WebhookVariant['amount']>, WrongAmount>, string>> = {
  'two-decimals': 'two decimals in the amount',
  'no-number': 'the amount NaN',
  empty: 'an empty amount',
}

const amountText = (amount: NonNullable<WebhookVariant['amount']>): string =>
  isWrongAmount(amount) ? wrongAmounts[amount].text : AMOUNTS[amount]

const MAX_BODY = 60

/** What is special about one of several variants of a case, as the beginning of a sentence. `undefined` if nothing is. */
export function describeVariant({
  amount: price,
  send: { amount, omit, status, payId, user, body, encoding } = {},
}: NonNullable<CheckCase['variants']>[number]): string | undefined {
  const details = [
    price === undefined ? undefined : `an order of ${formatAmount(price)}`,
    omit === undefined ? undefined : `no ${omit}`,
    amount === undefined ? undefined : amountText(amount),
    status === undefined ? undefined : `the status ${JSON.stringify(status)}`,
    payId === 'empty' ? 'an empty pay_id' : undefined,
    user === 'empty' ? 'an empty user_id' : undefined,
    body === undefined ? undefined : `the body ${truncate(body, MAX_BODY)}`,
  ].filter((detail) => detail !== undefined)
  const isJson = encoding === 'json' && body === undefined
  if (details.length === 0) return isJson ? 'as JSON' : undefined
  return `with ${details.join(' and ')}${isJson ? ', as JSON' : ''}`
}
