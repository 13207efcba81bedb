import { plural } from '../../server/format/values.ts'
import { CopyableText } from '../shell/copyable-text.tsx'
import type { Check, CheckResult } from './check-state.ts'

type Report = Extract<Check, { state: 'done' }>['report']

/** What failed first, with what was seen; what passed behind a fold. */
export function CheckReport({ report }: { readonly report: Report }) {
  const { receiver, passed, failed, skipped, advice, results } = report
  const of = (outcome: CheckResult['outcome']) => results.filter((result) => result.outcome === outcome)
  return (
    <>
      <p>
        <span class="status" data-tone={failed === 0 ? 'ok' : 'err'}>
          {failed === 0 ? '✓ nothing failed' : `✕ ${failed} failed`}
        </span>
        , {passed} passed{skipped > 0 && `, ${skipped} left out`} · {receiver}
      </p>
      {advice !== null && <p>{advice}</p>}
      <ul class="cards">
        {of('failed')
          .filter(({ sameAs }) => sameAs === null)
          .map((result) => (
            <Failed
              key={result.name}
              result={result}
              alike={results.filter(({ sameAs }) => sameAs === result.name)}
            />
          ))}
      </ul>
      <Others title={`${plural(passed, 'case')} passed`} results={of('passed')} />
      <Others title={`${plural(skipped, 'case')} left out`} results={of('skipped')} />
    </>
  )
}

const Failed = ({
  result,
  alike,
}: {
  readonly result: CheckResult
  readonly alike: readonly CheckResult[]
}) => (
  <li class="card">
    <h3>
      <span class="status" data-tone="err">
        ✕
      </span>{' '}
      {result.name}
    </h3>
    <p>{result.title}</p>
    <dl class="facts">
      <dt>Expected</dt>
      <dd>{result.expected}</dd>
      <dt>Seen</dt>
      <dd>{result.seen}</dd>
      {alike.length > 0 && (
        <>
          <dt>Same cause</dt>
          <dd>{alike.map(({ name }) => name).join(', ')}</dd>
        </>
      )}
    </dl>
    <p class="muted">{result.why}</p>
    {result.repeat !== null && (
      <CopyableText text={result.repeat} what={`the command that repeats ${result.name}`} />
    )}
  </li>
)

function Others({ title, results }: { readonly title: string; readonly results: readonly CheckResult[] }) {
  if (results.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <ul class="plain">
        {results.map(({ name, title: sent, outcome, seen }) => (
          <li key={name}>
            {name} <span class="muted">{outcome === 'skipped' ? seen : sent}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
