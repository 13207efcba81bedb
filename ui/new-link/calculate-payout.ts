import { MAX_AMOUNT, fromEuros, isWholeCents, toEuros } from '../../server/domain/money/money.ts'
import { ApiError, errorText } from '../../server/domain/api/api-error.ts'
import { splitPayment } from '../../server/domain/money/split.ts'
import { parseNumber, type Draft } from './link-draft.ts'

/** Who would get how much, in euros, or why nobody would. */
export type Preview =
  | { readonly recipients: readonly number[]; readonly owner: number; readonly amount: number }
  | { readonly refusal: string }

type Money = Pick<Draft, 'kind' | 'amount' | 'splitType' | 'recipients'>

/** Divides the payment as the service will. `undefined` as long as a number is missing. */
export function calculatePayout({ kind, amount: typed, splitType, recipients }: Money): Preview | undefined {
  const euros = parseNumber(typed)
  const shares = kind === 'split' ? recipients.map(({ share }) => parseNumber(share)) : []
  if (typeof euros !== 'number' || !shares.every((share) => typeof share === 'number')) return undefined

  if (euros <= 0) return { refusal: errorText('amountNotPositive') }
  if (euros > MAX_AMOUNT / 100) return { refusal: errorText('amountTooLarge') }
  if (!isWholeCents(euros)) return { refusal: errorText('tooManyDecimals', 'amount') }
  const wrong = shares.findIndex((share) => share <= 0)
  if (wrong !== -1) return { refusal: errorText('shareNotPositive', wrong) }
  try {
    const payout = splitPayment(fromEuros(euros), splitType, shares)
    return { recipients: payout.recipients.map(toEuros), owner: toEuros(payout.owner), amount: euros }
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error.message }
    throw error
  }
}
