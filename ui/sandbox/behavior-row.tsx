import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { useScrollTarget } from '../components/use-scroll-target.ts'
import { route } from '../browser/route.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Segmented } from '../components/segmented.tsx'
import { setBehaviors, type ShownBehavior } from './behavior-resource.ts'
import { EventCount, ServiceLine } from './point-lines.tsx'
import { ValueField } from './value-field.tsx'
import { useError } from '../data/use-error.ts'

interface Props {
  readonly behavior: ShownBehavior
  readonly isChanged: boolean
}

/** A behavior in one line: its name, what the API reference says, and its options. Its explanation unfolds below. */
export function BehaviorRow({ behavior, isChanged }: Props) {
  const { name, value, source, chosen, otherwise, reference, pattern, events, service } = behavior
  const id = useId()
  const error = useError()
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
        <EventCount events={events} />
        <p class="muted">{reference}</p>
        <ServiceLine service={service} />
      </div>
      <div class="behavior-value">
        {chosen && (isChanged || value !== otherwise) ? (
          <button type="button" class="link" onClick={() => select(null)}>
            Reset{value !== otherwise && ` to ${otherwise}`}
          </button>
        ) : (
          source === 'start' && <span class="muted">Set at startup</span>
        )}
        {(pattern === null || options.length > 1) && (
          <Segmented
            label={`Value of ${name}`}
            options={options.map((option) => [option, option] as const)}
            value={value}
            isDisabled={options.length === 1}
            onValue={select}
          />
        )}
        {pattern !== null && (
          <ValueField
            name={name}
            options={options}
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

function Explanation({ behavior }: { readonly behavior: ShownBehavior }) {
  const { options, meanings, note, advice } = behavior
  return (
    <div class="behavior-more">
      <dl>
        {options.map((option, index) => (
          <div key={option}>
            <dt>{option}</dt>
            <dd>{meanings[index]}</dd>
          </div>
        ))}
      </dl>
      {note !== null && <p>{note}</p>}
      <p>
        <b>In your code:</b> {advice}
      </p>
    </div>
  )
}
