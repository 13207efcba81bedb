import { signal } from '@preact/signals'
import { formatCount } from '../../../server/contract/format/values.ts'
import { request, withErrorToast } from '../../data/api.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import { screenTitle } from '../../browser/screens.ts'
import { log } from '../../data/session.ts'
import { showToast } from '../../browser/toasts.ts'
import { removeFaultById } from './fault-resource.ts'
import { createView } from '../../search/create-view.ts'
import { useOneAtATime } from '../../browser/use-one-at-a-time.ts'
import { failureScenarios, type FailureScenario } from './failure-scenarios.ts'

const notPaused = signal(undefined)

/** The rows of each scenario. Computed only while the screen shows them. */
const views = new Map(
  failureScenarios.map(({ query }) => [query, createView(log, signal(query), notPaused)] as const),
)

/** What goes wrong in production, and how to cause it here. */
export const Scenarios = () => (
  <section aria-label="Failure scenarios">
    <p>Failures that happen in production, how to trigger each one here, and which ones your app has met.</p>
    <ul class="cards">
      {failureScenarios.map((scenario) => (
        <ScenarioCard key={scenario.name} scenario={scenario} />
      ))}
    </ul>
  </section>
)

const triggerOnce = (fault: NonNullable<FailureScenario['fault']>, name: string): Promise<unknown> =>
  withErrorToast(async () => {
    const { id } = await request('POST /faults', { json: fault })
    showToast({
      tone: 'ok',
      text: `${name}: happens to the next ${fault.on === 'api' ? 'call' : fault.on}`,
      action: { label: 'Undo', run: () => removeFaultById(id) },
    })
  })

function ScenarioCard({ scenario }: { readonly scenario: FailureScenario }) {
  const { name, description, instructions, screen, behavior, query, fault } = scenario
  const runOne = useOneAtATime()
  const count = views.get(query)!.value.rows.length

  return (
    <li class="card">
      <h3>{name}</h3>
      <p>{description}</p>
      <p class="muted">{instructions}</p>
      <p class="card-footer">
        {screen && <a href={formatRoute({ screen, point: behavior })}>{screenTitle(screen)}</a>}
        {count === 0 ? (
          <span class="muted">not seen yet</span>
        ) : (
          <a href={formatRoute({ screen: 'timeline', query })}>seen {formatCount(count)}×</a>
        )}
        {fault && (
          <button
            type="button"
            aria-label={`Trigger once: ${name}`}
            onClick={() => runOne(() => triggerOnce(fault, name))}
          >
            Trigger once
          </button>
        )}
      </p>
    </li>
  )
}
