import { PASTED } from './link-draft.ts'
import { change, changeRecipient, draft, namedField, others, refusal } from './form-state.ts'

/** Who takes part in the payment, and with how much. */
export function RecipientRows() {
  const { recipients, splitType } = draft.value
  const named = namedField.value
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
              aria-invalid={pick !== PASTED && isWrong('token', index)}
              onChange={({ currentTarget }) => changeRecipient(index, { pick: currentTarget.value })}
            >
              {others.value.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value={PASTED}>A pasted token</option>
            </select>
            {pick === PASTED && (
              <input
                type="text"
                class="pasted"
                aria-label={`Token of recipient ${index}`}
                placeholder="Recipient token"
                autocomplete="off"
                spellcheck={false}
                value={pasted}
                aria-invalid={isWrong('token', index)}
                onInput={({ currentTarget }) => changeRecipient(index, { pasted: currentTarget.value })}
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
              onInput={({ currentTarget }) => changeRecipient(index, { share: currentTarget.value })}
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
