import { useSignal } from '@preact/signals'
import { choose, scope, type ShownBehavior } from './behavior-resource.ts'
import { meanings } from './option-meanings.ts'
import { PatternValue } from './pattern-value.tsx'
import { useScrollTarget } from './section.tsx'

const sources: Readonly<Record<ShownBehavior['source'], string>> = {
  default: 'Not in the API document; our default',
  start: 'Given when the sandbox was started',
  sandbox: 'Chosen for every account',
  account: 'Chosen for this account',
}

/** One open point: its options with what each does, what is in force and why, and what the reference says. */
export function BehaviorChoice({ behavior }: { readonly behavior: ShownBehavior }) {
  const { name, value, source, chosen, otherwise, reference, assumption, pattern } = behavior
  const refused = useSignal('')
  const field = useScrollTarget<HTMLFieldSetElement>(name)
  const options = behavior.options.filter((option) => option !== pattern)
  const meaningOf = meanings(assumption, behavior.options)
  const isFixed = behavior.options.length === 1

  const put = async (next: string | null) => {
    refused.value = ''
    refused.value = (await choose(name, next)) ?? ''
  }

  return (
    <fieldset ref={field} class="point" tabIndex={-1} aria-describedby={`about-${name}`}>
      <legend>{name}</legend>
      <p id={`about-${name}`}>{reference}</p>
      {meaningOf.size < behavior.options.length && <p class="muted">{assumption}</p>}
      {options.map((option) => (
        <label key={option} class="option">
          <input
            type="radio"
            name={name}
            checked={option === value}
            disabled={isFixed}
            onChange={() => put(option)}
          />
          <span>
            <code>{option}</code> <span class="muted">{meaningOf.get(option)}</span>
          </span>
        </label>
      ))}
      {pattern !== null && (
        <PatternValue
          name={name}
          pattern={pattern}
          value={options.includes(value) ? undefined : value}
          meaning={meaningOf.get(pattern) ?? ''}
          onChoose={put}
        />
      )}
      {refused.value !== '' && (
        <p class="wrong" role="alert">
          {refused.value}
        </p>
      )}
      <p class="source">
        <span class="chip" data-tone={source === 'default' ? 'plain' : 'warn'}>
          {sources[source]}
        </span>
        {isFixed && <span class="muted">The only option so far.</span>}
        {chosen && (
          <button type="button" class="small" onClick={() => put(null)}>
            {scope.value === 'account' ? 'Back to what holds for every account' : 'Back'}: {otherwise}
          </button>
        )}
      </p>
    </fieldset>
  )
}
