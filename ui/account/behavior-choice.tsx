import { isBehaviorName, openPoints } from '../../server/domain/behavior.ts'
import { choose, type ShownBehavior } from './behavior-resource.ts'
import { OtherValue } from './other-value.tsx'

/** One open point: its options, what the reference says about it, and what is assumed. */
export function BehaviorChoice({ behavior }: { readonly behavior: ShownBehavior }) {
  const { name, value, chosen, reference, assumption } = behavior
  const point = isBehaviorName(name) ? openPoints[name] : undefined
  const options = point?.options ?? behavior.options
  const isFixed = options.length === 1 && !point?.pattern
  const about = `about-${name}`

  return (
    <article class="card">
      <fieldset aria-describedby={about}>
        <legend>{name}</legend>
        {isFixed ? (
          <p>
            <strong>{value}</strong> <span class="muted">the only option so far</span>
          </p>
        ) : (
          options.map((option, index) => (
            <label key={option} class="option">
              <input
                type="radio"
                name={name}
                value={option}
                checked={option === value}
                onChange={() => choose(name, option)}
              />
              {option} {index === 0 && <span class="muted">default</span>}
            </label>
          ))
        )}
        {point?.pattern && (
          <OtherValue
            key={value}
            name={name}
            pattern={point.pattern.text}
            value={options.includes(value) ? '' : value}
          />
        )}
        {chosen && !isFixed && value !== options[0] && (
          <button type="button" class="small" onClick={() => choose(name, null)}>
            Back to the default
          </button>
        )}
      </fieldset>
      <div id={about}>
        <p>{reference}</p>
        <p class="muted">{assumption}</p>
      </div>
    </article>
  )
}
