import { AMOUNT_LIMIT, fromEuros, isWholeCents, toEuros } from '../../server/domain/money/money.ts'
import { Refusal, wording } from '../../server/domain/api/api-error.ts'
import { divide } from '../../server/domain/money/split.ts'
import { numberOf, type Draft } from './draft.ts'

/** Who would get how much, in euros, or why nobody would. */
export type Preview =
  | { readonly recipients: readonly number[]; readonly owner: number; readonly amount: number }
  | { readonly refusal: string }

type Money = Pick<Draft, 'kind' | 'amount' | 'splitType' | 'recipients'>

/** Divides the payment as the service will. `undefined` as long as a number is missing. */
export function previewPayout({ kind, amount: typed, splitType, recipients }: Money): Preview | undefined {
  const euros = numberOf(typed)
  const shares = kind === 'split' ? recipients.map(({ share }) => numberOf(share)) : []
  if (typeof euros !== 'number' || !shares.every((share) => typeof share === 'number')) return undefined

  if (euros <= 0) return { refusal: wording.amountNotPositive }
  if (euros > AMOUNT_LIMIT / 100) return { refusal: wording.amountTooLarge }
  if (!isWholeCents(euros)) return { refusal: wording.tooManyDecimals('amount') }
  const wrong = shares.findIndex((share) => share <= 0)
  if (wrong !== -1) return { refusal: wording.shareNotPositive(wrong) }
  try {
    const payout = divide(fromEuros(euros), splitType, shares)
    return { recipients: payout.recipients.map(toEuros), owner: toEuros(payout.owner), amount: euros }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
  }
}
