import { useSignal } from '@preact/signals'
import { ErrorMessage } from '../shell/error-message.tsx'
import { scope, setBehavior, type ShownBehavior } from './behavior-resource.ts'
import { optionMeaning } from '../../server/domain/behaviors/behavior.ts'
import { behaviorRow } from '../../server/domain/behaviors/open-points.ts'
import { PatternValue } from './pattern-value.tsx'
import { useScrollTarget } from './section.tsx'

const sources: Readonly<Record<ShownBehavior['source'], string>> = {
  default: 'Sandbox default',
  start: 'Set when the sandbox was started',
  sandbox: 'Set for all accounts',
  account: 'Set for this account',
}

/** A behavior with its options, the active one, and what the API reference says. */
export function BehaviorChoice({ behavior }: { readonly behavior: ShownBehavior }) {
  const { name, value, source, chosen, otherwise, reference, pattern } = behavior
  const error = useSignal<string | undefined>(undefined)
  const field = useScrollTarget<HTMLFieldSetElement>(name)
  const options = behavior.options.filter((option) => option !== pattern)
  const { note } = behaviorRow(name)
  const isFixed = behavior.options.length === 1

  const select = async (next: string | null) => {
    error.value = undefined
    error.value = await setBehavior(name, next)
  }

  return (
    <fieldset ref={field} class="behavior" tabIndex={-1} aria-describedby={`about-${name}`}>
      <legend>{name}</legend>
      <p id={`about-${name}`}>{reference}</p>
      {note !== undefined && <p class="muted">{note}</p>}
      {options.map((option) => (
        <label key={option} class="option">
          <input
            type="radio"
            name={name}
            checked={option === value}
            disabled={isFixed}
            onChange={() => select(option)}
          />
          <span>
            <code>{option}</code> <span class="muted">{optionMeaning(name, option)}</span>
          </span>
        </label>
      ))}
      {pattern !== null && (
        <PatternValue
          name={name}
          pattern={pattern}
          value={options.includes(value) ? undefined : value}
          meaning={optionMeaning(name, pattern)}
          onChoose={select}
        />
      )}
      <ErrorMessage text={error.value} />
      <p class="source">
        <span class="chip" data-tone={source === 'default' ? 'plain' : 'warn'}>
          {sources[source]}
        </span>
        {isFixed && <span class="muted">There is no other option yet.</span>}
        {chosen && (
          <button type="button" class="small" onClick={() => select(null)}>
            {scope.value === 'account' ? 'Use the setting for all accounts' : 'Reset'}: {otherwise}
          </button>
        )}
      </p>
    </fieldset>
  )
}
