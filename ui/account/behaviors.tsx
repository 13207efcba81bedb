import { BehaviorChoice } from './behavior-choice.tsx'
import { behaviors } from './behavior-resource.ts'

/** The points the reference leaves open, each with what is in force. */
export function Behaviors() {
  const loaded = behaviors.value
  return (
    <section aria-labelledby="behaviors">
      <h2 id="behaviors">Behaviors</h2>
      <p>
        Points the reference leaves open. Each has a default of this sandbox and, where there is more than one
        answer, a switch, so that your code can be tested against either.
      </p>
      {loaded.state === 'loading' && <p class="muted late">Loading…</p>}
      {loaded.state === 'failed' && <p class="muted">{loaded.reason}</p>}
      {loaded.state === 'loaded' && (
        <>
          <div class="cards">
            {loaded.value.behaviors.map((behavior) => (
              <BehaviorChoice key={behavior.name} behavior={behavior} />
            ))}
          </div>
          <details class="fixed">
            <summary>{loaded.value.assumptions.length} fixed assumptions</summary>
            <dl>
              {loaded.value.assumptions.map(({ name, reference, assumption }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {reference} <span class="muted">{assumption}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </section>
  )
}
