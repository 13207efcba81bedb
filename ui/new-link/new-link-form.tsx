import { linkKinds } from '../../server/domain/links/link.ts'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { navigate } from '../browser/route.ts'
import { Select, TextField } from '../components/field.tsx'
import { showToast } from '../browser/toasts.ts'
import type { FieldName } from './field-of-error.ts'
import {
  updateDraft,
  selectOwner,
  copyRequestAsCurl,
  createLink,
  draft,
  errorField,
  owner,
  developmentAccounts,
  errorMessage,
} from './form-state.ts'
import { expectedPayId, isDialogOpen } from './dialog-state.ts'
import { PayoutPreview } from './payout-preview.tsx'
import { RecipientRows } from './recipient-rows.tsx'
import { RedirectPreview, WebhookPreview } from './target-preview.tsx'

/** The API's error message, if it is about a field. */
const errorOf = (field: FieldName): string | undefined =>
  errorField.value?.field === field ? errorMessage.value : undefined

/** Creates a payment link with the API call that an app would make. */
export function NewLinkForm() {
  const form = useRef<HTMLFormElement>(null)
  const isSending = useSignal(false)

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
    showToast({ tone: 'ok', text: `Payment link ${payId} created` })
  }

  // Moves the focus to the invalid field.
  useEffect(() => {
    if (errorMessage.value !== undefined)
      form.current!.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errorMessage.value])

  return (
    <form ref={form} class="form new-link" noValidate onSubmit={submit}>
      <Basics />
      {draft.value.kind === 'split' && <RecipientRows />}
      <PayoutPreview />
      <Addresses />
      <Options />
      {errorMessage.value !== undefined && (
        <p class="rejected" role="alert">
          <span aria-hidden="true">✕</span> The link was not created: {errorMessage.value}
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

/** The account, and what the link is for. */
function Basics() {
  const { kind, amount, note } = draft.value
  return (
    <div class="pair">
      <Select
        label="Account"
        error={errorOf('account')}
        value={owner.value?.id}
        options={developmentAccounts.value.map(({ id, name }) => [id, name])}
        onValue={selectOwner}
      />
      <fieldset class="kinds">
        <legend>Kind</legend>
        {linkKinds.map((option) => (
          <label key={option} class="option">
            <input
              type="radio"
              name="kind"
              checked={kind === option}
              onChange={() => updateDraft({ kind: option })}
            />
            {option === 'split' ? 'Split' : 'Basic'}
          </label>
        ))}
      </fieldset>
      <TextField
        label="Amount in euros"
        inputMode="decimal"
        value={amount}
        error={errorOf('amount')}
        onValue={(value) => updateDraft({ amount: value })}
      />
      <TextField
        label="Note"
        value={note}
        error={errorOf('note')}
        onValue={(value) => updateDraft({ note: value })}
      />
    </div>
  )
}

/** Where the browser and the webhooks go. */
function Addresses() {
  const { callbackUrl, paymentEndpoint } = draft.value
  return (
    <div class="addresses">
      <TextField
        label="Callback URL"
        hint="The redirect address: a URL or an index. Only the first is used."
        value={callbackUrl}
        error={errorOf('callbackUrl')}
        onValue={(value) => updateDraft({ callbackUrl: value })}
      />
      <RedirectPreview />
      <TextField
        label="Payment endpoint"
        hint="The webhook targets: URLs and indexes, separated by commas."
        value={paymentEndpoint}
        error={errorOf('paymentEndpoint')}
        onValue={(value) => updateDraft({ paymentEndpoint: value })}
      />
      <WebhookPreview />
    </div>
  )
}

function Options() {
  const { kind, statement } = draft.value
  return (
    <>
      <div class="ticks">
        <Checkbox name="cancellable" label="The customer can cancel" />
        <Checkbox name="isQrLink" label="QR link" />
        {kind === 'basic' && <Checkbox name="bankTransfer" label="Offer bank transfer" />}
      </div>
      {kind === 'basic' && (
        <TextField
          label="Bank statement description"
          value={statement}
          onValue={(value) => updateDraft({ statement: value })}
        />
      )}
    </>
  )
}

interface CheckboxProps {
  readonly name: 'cancellable' | 'isQrLink' | 'bankTransfer'
  readonly label: string
}

function Checkbox({ name, label }: CheckboxProps) {
  return (
    <label class="option">
      <input
        type="checkbox"
        checked={draft.value[name]}
        onChange={({ currentTarget }) => updateDraft({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  )
}
