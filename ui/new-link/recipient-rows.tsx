import { CUSTOM_TOKEN } from './link-draft.ts'
import { change, updateRecipient, draft, errorField, others, refusal } from './form-state.ts'

/** Who takes part in the payment, and with how much. */
export function RecipientRows() {
  const { recipients, splitType } = draft.value
  const named = errorField.value
  const isWrong = (part: 'token' | 'share', index: number): boolean =>
    named?.field === 'recipients' && (named.part ?? 'share') === part && (named.index ?? index) === index

  return (
    <fieldset class="recipients">
      <legend>Recipients</legend>
      <div class="kinds">
        {(['normal', 'absolute'] as const).map((type) => (
          <label key={type} class="option">
            <input
              type="radio"
              name="split-type"
              checked={splitType === type}
              onChange={() => change({ splitType: type })}
            />
            {type === 'normal' ? 'Percent' : 'Euros'} <span class="muted">{type}</span>
          </label>
        ))}
      </div>
      <ol>
        {recipients.map(({ pick, pasted, share }, index) => (
          <li key={index}>
            <select
              aria-label={`Recipient ${index}`}
              value={pick}
              aria-invalid={pick !== CUSTOM_TOKEN && isWrong('token', index)}
              onChange={({ currentTarget }) => updateRecipient(index, { pick: currentTarget.value })}
            >
              {others.value.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value={CUSTOM_TOKEN}>A pasted token</option>
            </select>
            {pick === CUSTOM_TOKEN && (
              <input
                type="text"
                class="pasted"
                aria-label={`Token of recipient ${index}`}
                placeholder="Recipient token"
                autocomplete="off"
                spellcheck={false}
                value={pasted}
                aria-invalid={isWrong('token', index)}
                onInput={({ currentTarget }) => updateRecipient(index, { pasted: currentTarget.value })}
              />
            )}
            <input
              type="text"
              class="share"
              inputMode="decimal"
              aria-label={`Share of recipient ${index}, in ${splitType === 'normal' ? 'percent' : 'euros'}`}
              autocomplete="off"
              value={share}
              aria-invalid={isWrong('share', index)}
              onInput={({ currentTarget }) => updateRecipient(index, { share: currentTarget.value })}
            />
            <span aria-hidden="true">{splitType === 'normal' ? '%' : '€'}</span>
            <button
              type="button"
              class="small"
              aria-label={`Remove recipient ${index}`}
              disabled={recipients.length === 1}
              onClick={() => change({ recipients: recipients.filter((_, at) => at !== index) })}
            >
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ol>
      {named?.field === 'recipients' && <p class="wrong">{refusal.value}</p>}
      <button
        type="button"
        class="small"
        onClick={() => change({ recipients: [...recipients, { pick: '', pasted: '', share: '' }] })}
      >
        Add a recipient
      </button>
    </fieldset>
  )
}
