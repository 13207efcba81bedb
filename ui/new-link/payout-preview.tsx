import { formatAmount } from '../../server/format/values.ts'
import { CUSTOM_TOKEN } from './link-draft.ts'
import { draft, others, owner, payout } from './form-state.ts'

/** Who would get how much, to the cent, while it is typed. */
export function PayoutPreview() {
  const preview = payout.value

  return (
    <output class="preview" aria-label="Payout preview">
      {preview === undefined && (
        <span class="muted">The payout shows once there are an amount and shares.</span>
      )}
      {preview && 'refusal' in preview && (
        <span class="status" data-tone="err">
          ✕ {preview.refusal}
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
  const pick = draft.value.recipients[index]?.pick
  return pick === CUSTOM_TOKEN
    ? 'pasted token'
    : (others.value.find(({ id }) => id === pick)?.name ?? `recipient ${index}`)
}
