import { splitTypes } from '../../server/domain/money/split.ts'
import { CUSTOM_TOKEN } from './link-draft.ts'
import {
  updateDraft,
  updateRecipient,
  draft,
  errorField,
  possibleRecipients,
  errorMessage,
} from './form-state.ts'

/** The recipients of the payment and their shares. */
export function RecipientRows() {
  const { recipients, splitType } = draft.value
  const invalid = errorField.value
  const isInvalid = (part: 'token' | 'share', index: number): boolean =>
    invalid?.field === 'recipients' &&
    (invalid.part ?? 'share') === part &&
    (invalid.index ?? index) === index

  return (
    <fieldset class="recipients">
      <legend>Recipients</legend>
      <div class="kinds">
        {splitTypes.map((type) => (
          <label key={type} class="option">
            <input
              type="radio"
              name="split-type"
              checked={splitType === type}
              onChange={() => updateDraft({ splitType: type })}
            />
            {type === 'normal' ? 'Percent' : 'Euros'}
          </label>
        ))}
      </div>
      <ol>
        {recipients.map(({ selected, customToken, share }, index) => (
          <li key={index}>
            <select
              aria-label={`Recipient ${index}`}
              value={selected}
              aria-invalid={selected !== CUSTOM_TOKEN && isInvalid('token', index)}
              onChange={({ currentTarget }) => updateRecipient(index, { selected: currentTarget.value })}
            >
              {possibleRecipients.value.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value={CUSTOM_TOKEN}>Custom token</option>
            </select>
            {selected === CUSTOM_TOKEN && (
              <input
                type="text"
                class="custom-token"
                aria-label={`Token of recipient ${index}`}
                placeholder="Recipient token"
                autocomplete="off"
                spellcheck={false}
                value={customToken}
                aria-invalid={isInvalid('token', index)}
                onInput={({ currentTarget }) => updateRecipient(index, { customToken: currentTarget.value })}
              />
            )}
            <input
              type="text"
              class="share"
              inputMode="decimal"
              aria-label={`Share of recipient ${index}, in ${splitType === 'normal' ? 'percent' : 'euros'}`}
              autocomplete="off"
              value={share}
              aria-invalid={isInvalid('share', index)}
              onInput={({ currentTarget }) => updateRecipient(index, { share: currentTarget.value })}
            />
            <span aria-hidden="true">{splitType === 'normal' ? '%' : '€'}</span>
            <button
              type="button"
              class="small"
              aria-label={`Remove recipient ${index}`}
              disabled={recipients.length === 1}
              onClick={() => updateDraft({ recipients: recipients.filter((_, at) => at !== index) })}
            >
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ol>
      {invalid?.field === 'recipients' && <p class="error">{errorMessage.value}</p>}
      <button
        type="button"
        class="small"
        onClick={() =>
          updateDraft({ recipients: [...recipients, { selected: '', customToken: '', share: '' }] })
        }
      >
        Add a recipient
      </button>
    </fieldset>
  )
}
