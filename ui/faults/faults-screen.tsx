import { signal } from '@preact/signals'
import { api, withErrorToast } from '../api.ts'
import { CheckReceiver } from '../receiver-check/check-receiver.tsx'
import { formatCount } from '../../server/format/values.ts'
import { formatRoute } from '../hash-route.ts'
import { useOneAtATime } from '../use-one-at-a-time.ts'
import { log } from '../session.ts'
import { createView } from '../timeline/create-view.ts'
import { FaultList } from './fault-list.tsx'
import { NewFault } from './new-fault.tsx'
import { failureScenarios, type FailureScenario } from './failure-scenarios.ts'

const never = signal(undefined)

/** Where each mishap happened so far. Computed while somebody looks. */
const seen = new Map(
  failureScenarios.flatMap(({ query }) =>
    query === undefined ? [] : [[query, createView(log, signal(query), never)] as const],
  ),
)

/** What goes wrong in real life, how to make it go wrong here, and whether it has. */
export const FaultsScreen = () => (
  <div class="page">
    <section aria-labelledby="armed">
      <h2 id="armed">Faults</h2>
      <p>
        What you ask to go wrong: at the next call, webhook or redirect, at several, or by chance. Whatever a
        fault did says so in the timeline.
      </p>
      <NewFault />
      <FaultList />
    </section>
    <CheckReceiver />
    <section aria-labelledby="mishaps">
      <h2 id="mishaps">What to survive</h2>
      <p>What goes wrong in real life, how to make it go wrong here, and where it has so far.</p>
      <ul class="cards">
        {failureScenarios.map((mishap) => (
          <ScenarioCard key={mishap.name} mishap={mishap} />
        ))}
      </ul>
    </section>
  </div>
)

/** Once, for whoever is next. */
const arm = (json: NonNullable<FailureScenario['fault']>): Promise<unknown> =>
  withErrorToast(() => api.faults.$post({ query: {}, json }))

const where = { timeline: 'Timeline', payments: 'Payments', account: 'Behaviors' } as const

function ScenarioCard({ mishap }: { readonly mishap: FailureScenario }) {
  const { name, survive, make, screen, behavior, query, fault } = mishap
  const once = useOneAtATime()
  const count = query === undefined ? undefined : seen.get(query)?.value.rows.length

  return (
    <li class="card">
      <h3>{name}</h3>
      <p>{survive}</p>
      <p class="muted">{make}</p>
      <p class="foot">
        {screen && (
          <a href={formatRoute({ screen, point: behavior })}>{where[screen as keyof typeof where]}</a>
        )}
        {count === 0 && <span class="muted">not seen yet</span>}
        {count !== undefined && count > 0 && (
          <a href={formatRoute({ screen: 'timeline', query })}>seen {formatCount(count)}×</a>
        )}
        {fault && (
          <button type="button" aria-label={`Arm: ${name}`} onClick={() => once(() => arm(fault))}>
            Arm
          </button>
        )}
      </p>
    </li>
  )
}
