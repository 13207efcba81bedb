import { plural } from '../../server/format/values.ts'
import { CopyableText } from '../shell/copyable-text.tsx'
import type { CheckResult, CheckState } from './check-state.ts'

type Report = Extract<CheckState, { state: 'done' }>['report']

/** The failed cases in full, then collapsed lists of the others. */
export function CheckReport({ report }: { readonly report: Report }) {
  const { receiver, passed, failed, skipped, advice, results } = report
  const resultsWith = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome)
  return (
    <>
      <p>
        <span class="status" data-tone={failed === 0 ? 'ok' : 'err'}>
          {failed === 0 ? '✓ no failures' : `✕ ${failed} failed`}
        </span>
        , {passed} passed{skipped > 0 && `, ${skipped} skipped`} · {receiver}
      </p>
      {advice !== null && <p>{advice}</p>}
      <ul class="cards">
        {resultsWith('failed')
          .filter(({ sameAs }) => sameAs === null)
          .map((result) => (
            <FailedResult
              key={result.name}
              result={result}
              sameCause={results.filter(({ sameAs }) => sameAs === result.name)}
            />
          ))}
      </ul>
      <OtherResults title={`${plural(passed, 'case')} passed`} results={resultsWith('passed')} />
      <OtherResults title={`${plural(skipped, 'case')} skipped`} results={resultsWith('skipped')} />
    </>
  )
}

const FailedResult = ({
  result,
  sameCause,
}: {
  readonly result: CheckResult
  readonly sameCause: readonly CheckResult[]
}) => (
  <li class="card">
    <h3>
      <span class="status" data-tone="err">
        ✕
      </span>{' '}
      {result.name}
      {sameCause.length > 0 && ` and ${plural(sameCause.length, 'other case')}`}
    </h3>
    <p>{result.title}</p>
    <dl class="facts">
      <dt>Expected</dt>
      <dd>{result.expected}</dd>
      <dt>Seen</dt>
      <dd>{result.seen}</dd>
    </dl>
    {sameCause.length > 0 && (
      <details>
        <summary>{plural(sameCause.length, 'other case')} with the same cause</summary>
        <p class="muted">{sameCause.map(({ name }) => name).join(', ')}</p>
      </details>
    )}
    <p class="muted">{result.why}</p>
    {result.repeat !== null && (
      <CopyableText text={result.repeat} what={`the command that repeats ${result.name}`} />
    )}
  </li>
)

function OtherResults({
  title,
  results,
}: {
  readonly title: string
  readonly results: readonly CheckResult[]
}) {
  if (results.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <ul class="plain">
        {results.map(({ name, title: description, outcome, seen }) => (
          <li key={name}>
            {name} <span class="muted">{outcome === 'skipped' ? seen : description}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
