import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { navigate } from '../route.ts'
import { FieldFrame, TextField } from '../shell/field.tsx'
import { showToast } from '../toasts.ts'
import type { FieldName } from './field-of-error.ts'
import {
  change,
  selectOwner,
  copyRequestAsCurl,
  createLink,
  draft,
  errorField,
  owner,
  developmentAccounts,
  refusal,
} from './form-state.ts'
import { expectedPayId, isDialogOpen } from './dialog-state.ts'
import { PayoutPreview } from './payout-preview.tsx'
import { RecipientRows } from './recipient-rows.tsx'
import { RedirectPreview, WebhookPreview } from './target-preview.tsx'

/** What was refused about a field. */
const wrong = (field: FieldName): string | undefined =>
  errorField.value?.field === field ? refusal.value : undefined

/** Makes a payment link by the call that an integrator's code would make. */
export function NewLinkForm() {
  const form = useRef<HTMLFormElement>(null)
  const isSending = useSignal(false)
  const { kind, amount, note, callbackUrl, paymentEndpoint, statement, ...checked } = draft.value

  const submit = async (event: Event) => {
    event.preventDefault()
    if (isSending.peek()) return
    isSending.value = true
    const payId = await createLink()
    isSending.value = false
    if (payId === undefined) return
    expectedPayId.value = payId
    isDialogOpen.value = false
    navigate({ screen: 'payments', id: payId, query: '' })
    showToast({ tone: 'ok', text: `Payment link ${payId} made` })
  }

  // Whoever types finds what was refused under their hands.
  useEffect(() => {
    if (refusal.value !== undefined) form.current!.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusal.value])

  const tick = (name: 'cancellable' | 'isQrLink' | 'bankTransfer', label: string) => (
    <label class="option">
      <input
        type="checkbox"
        checked={checked[name]}
        onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  )

  return (
    <form ref={form} class="form new-link" noValidate onSubmit={submit}>
      <div class="pair">
        <FieldFrame label="Account" error={wrong('account')}>
          {(ties) => (
            <select
              {...ties}
              value={owner.value?.id}
              onChange={({ currentTarget }) => selectOwner(currentTarget.value)}
            >
              {developmentAccounts.value.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </FieldFrame>
        <fieldset class="kinds">
          <legend>Kind</legend>
          {(['split', 'basic'] as const).map((one) => (
            <label key={one} class="option">
              <input type="radio" name="kind" checked={kind === one} onChange={() => change({ kind: one })} />
              {one === 'split' ? 'Split' : 'Basic'}
            </label>
          ))}
        </fieldset>
        <TextField
          label="Amount in euros"
          inputMode="decimal"
          value={amount}
          error={wrong('amount')}
          onValue={(value) => change({ amount: value })}
        />
        <TextField
          label="Note"
          value={note}
          error={wrong('note')}
          onValue={(value) => change({ note: value })}
        />
      </div>
      {kind === 'split' && <RecipientRows />}
      <PayoutPreview />
      <div class="addresses">
        <TextField
          label="Callback URL"
          hint="Where the browser goes: a URL or an index, the first counts"
          value={callbackUrl}
          error={wrong('callbackUrl')}
          onValue={(value) => change({ callbackUrl: value })}
        />
        <RedirectPreview />
        <TextField
          label="Payment endpoint"
          hint="Where webhooks go: URLs and indexes, with commas"
          value={paymentEndpoint}
          error={wrong('paymentEndpoint')}
          onValue={(value) => change({ paymentEndpoint: value })}
        />
        <WebhookPreview />
      </div>
      <div class="ticks">
        {tick('cancellable', 'The customer can cancel')}
        {tick('isQrLink', 'QR link')}
        {kind === 'basic' && tick('bankTransfer', 'Offer bank transfer')}
      </div>
      {kind === 'basic' && (
        <TextField
          label="Bank statement description"
          value={statement}
          onValue={(value) => change({ statement: value })}
        />
      )}
      {refusal.value !== undefined && (
        <p class="refused" role="alert">
          <span aria-hidden="true">✕</span> The service refused: {refusal.value}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={isSending.value}>
          Create link
        </button>
        <button type="button" onClick={copyRequestAsCurl}>
          Copy as cURL
        </button>
        <button type="button" onClick={() => (isDialogOpen.value = false)}>
          Close
        </button>
      </div>
    </form>
  )
}
