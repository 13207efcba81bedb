import { MAX_AMOUNT, fromEuros, isWholeCents, toEuros } from '../../server/domain/money/cents.ts'
import { ApiError, errorText } from '../../server/domain/api/api-error.ts'
import { splitPayment } from '../../server/domain/money/split.ts'
import { parseNumber, type LinkDraft } from './link-draft.ts'

/** The payouts in euros, or the error that the API would return. */
type PayoutPreview =
  | { readonly recipients: readonly number[]; readonly owner: number; readonly amount: number }
  | { readonly error: string }

type PayoutInput = Pick<LinkDraft, 'kind' | 'amount' | 'splitType' | 'recipients'>

/** Splits the payment as the API does. `undefined` while a number is missing. */
export function calculatePayout({
  kind,
  amount: typed,
  splitType,
  recipients,
}: PayoutInput): PayoutPreview | undefined {
  const euros = parseNumber(typed)
  const shares = kind === 'split' ? recipients.map(({ share }) => parseNumber(share)) : []
  if (typeof euros !== 'number' || !shares.every((share) => typeof share === 'number')) return undefined

  if (euros <= 0) return { error: errorText('amountNotPositive') }
  if (euros > MAX_AMOUNT / 100) return { error: errorText('amountTooLarge') }
  if (!isWholeCents(euros)) return { error: errorText('tooManyDecimals', 'amount') }
  const invalid = shares.findIndex((share) => share <= 0)
  if (invalid !== -1) return { error: errorText('shareNotPositive', invalid) }
  try {
    const payout = splitPayment(fromEuros(euros), splitType, shares)
    return { recipients: payout.recipients.map(toEuros), owner: toEuros(payout.owner), amount: euros }
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message }
    throw error
  }
}
