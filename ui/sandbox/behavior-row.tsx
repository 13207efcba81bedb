import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { behaviorRow } from '../../server/domain/behaviors/open-points.ts'
import { optionMeaning } from '../../server/domain/behaviors/behavior.ts'
import { useScrollTarget } from '../account/section.tsx'
import { route } from '../browser/route.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Segmented } from '../components/segmented.tsx'
import { setBehaviors, type ShownBehavior } from './behavior-resource.ts'
import { ServiceLine } from './service-line.tsx'
import { ValueField } from './value-field.tsx'

interface Props {
  readonly behavior: ShownBehavior
  readonly isChanged: boolean
}

/** A behavior in one line: its name, what the API reference says, and its options. Its explanation opens below. */
export function BehaviorRow({ behavior, isChanged }: Props) {
  const { name, value, source, chosen, otherwise, reference, pattern, service } = behavior
  const id = useId()
  const error = useSignal<string | undefined>(undefined)
  const isOpen = useSignal(route.peek().point === name)
  const element = useScrollTarget<HTMLDivElement>(name)
  const options = behavior.options.filter((option) => option !== pattern)
  const isNamed = route.value.point === name
  useEffect(() => {
    if (isNamed) isOpen.value = true
  }, [isNamed, isOpen])

  const select = async (next: string | null) => {
    error.value = undefined
    error.value = await setBehaviors({ [name]: next === otherwise ? null : next })
  }

  return (
    <div
      ref={element}
      class={isChanged ? 'behavior changed' : 'behavior'}
      role="group"
      aria-labelledby={id}
      tabIndex={-1}
    >
      <div class="behavior-text">
        <button
          type="button"
          id={id}
          class="behavior-name"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {name}
        </button>
        <p class="muted">{reference}</p>
        <ServiceLine service={service} />
      </div>
      <div class="behavior-value">
        {chosen && (isChanged || value !== otherwise) ? (
          <button type="button" class="link" onClick={() => select(null)}>
            Reset{value !== otherwise && ` to ${otherwise}`}
          </button>
        ) : (
          source === 'start' && <span class="muted">Set at the start</span>
        )}
        {pattern === null ? (
          <Segmented
            label={`Value of ${name}`}
            options={options.map((option) => [option, option] as const)}
            value={value}
            isDisabled={options.length === 1}
            onValue={select}
          />
        ) : (
          <ValueField
            name={name}
            pattern={pattern}
            value={value}
            hasError={error.value !== undefined}
            onValue={select}
          />
        )}
      </div>
      <ErrorMessage text={error.value} />
      {isOpen.value && <Explanation behavior={behavior} />}
    </div>
  )
}

function Explanation({ behavior: { name, options } }: { readonly behavior: ShownBehavior }) {
  const { note, advice } = behaviorRow(name)
  return (
    <div class="behavior-more">
      <dl>
        {options.map((option) => (
          <div key={option}>
            <dt>{option}</dt>
            <dd>{optionMeaning(name, option)}</dd>
          </div>
        ))}
      </dl>
      {note !== undefined && <p>{note}</p>}
      {advice !== undefined && (
        <p>
          <b>In your code:</b> {advice}
        </p>
      )}
    </div>
  )
}
