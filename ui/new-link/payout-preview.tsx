import { formatAmount } from '../../server/contract/format/values.ts'
import { CUSTOM_TOKEN } from './link-draft.ts'
import { draft, possibleRecipients, owner, payout } from './form-state.ts'

/** The payouts of the link that the form would create. */
export function PayoutPreview() {
  const preview = payout.value

  return (
    <output class="preview" aria-label="Payout preview">
      {preview === undefined && <span class="muted">Enter an amount and shares to see the payout.</span>}
      {preview && 'error' in preview && (
        <span class="status" data-tone="err">
          ✕ {preview.error}
        </span>
      )}
      {preview && 'owner' in preview && (
        <>
          {preview.recipients.map((amount, index) => (
            <span key={index}>
              {nameOf(index)} <span class="amount">{formatAmount(amount)}</span>
            </span>
          ))}
          <span>
            {owner.value?.name} (owner) <span class="amount">{formatAmount(preview.owner)}</span>
          </span>
          <strong>
            Total <span class="amount">{formatAmount(preview.amount)}</span>
          </strong>
        </>
      )}
    </output>
  )
}

function nameOf(index: number): string {
  const selected = draft.value.recipients[index]?.selected
  return selected === CUSTOM_TOKEN
    ? 'custom token'
    : (possibleRecipients.value.find(({ id }) => id === selected)?.name ?? `recipient ${index}`)
}
