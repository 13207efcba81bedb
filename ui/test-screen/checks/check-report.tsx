import { furtherAdvice } from '../../../server/contract/format/mistake-lines.ts'
import { listNames } from '../../../server/contract/format/list-names.ts'
import { whySkipped } from '../../../server/contract/format/why-skipped.ts'
import { plural } from '../../../server/contract/format/values.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { TestMenu } from '../../components/test-menu.tsx'
import type { TestFormat } from '../../../server/contract/test-format.ts'
import type { ShownReport, ShownResult } from './check-state.ts'

interface Props {
  readonly report: ShownReport
  /** The address that was checked. */
  readonly url: string
  /** The common cause of several failures, and what to do. */
  readonly advice?: string | null
  readonly onDownload: (result: ShownResult, format: TestFormat) => unknown
}

/** The failed cases with all details, and folded lists of the others. */
export function CheckReportView({ report, url, advice = null, onDownload }: Props) {
  const { checked, passed, failed, skipped, results, mistakes } = report
  const resultsWith = (outcome: ShownResult['outcome']) =>
    results.filter((result) => result.outcome === outcome)
  return (
    <>
      <p>
        <span class="status" data-tone={failed === 0 ? 'ok' : 'err'}>
          {failed === 0 ? '✓ no failures' : `✕ ${failed} failed`}
        </span>
        , {passed} passed{skipped > 0 && `, ${skipped} skipped`} · {url}
      </p>
      {checked !== 'fulfilments' && <p class="muted">{NOT_CHECKED[checked]}</p>}
      {furtherAdvice({ mistakes, advice }).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {mistakes.length > 0 && (
        <ul class="plain">
          {mistakes.map(({ title, problem, case: name, others, remedy }) => (
            <li key={`${problem} ${title}`}>
              <strong>{title}</strong>: {listNames([name, ...others])}. {remedy}
            </li>
          ))}
        </ul>
      )}
      {failed > 0 && (
        <ul class="cards">
          {resultsWith('failed')
            .filter(({ sameAs = null }) => sameAs === null)
            .map((result) => (
              <FailedResult
                key={result.name}
                result={result}
                sameCause={results.filter(({ sameAs }) => sameAs === result.name)}
                onDownload={(format) => onDownload(result, format)}
              />
            ))}
        </ul>
      )}
      <OtherResults title={`${plural(passed, 'case')} passed`} results={resultsWith('passed')} />
      <OtherResults title={`${plural(skipped, 'case')} skipped`} results={resultsWith('skipped')} />
    </>
  )
}

const NOT_CHECKED = {
  answers: 'The state of orders was not checked.',
  orders: 'The number of fulfillments was not checked.',
} as const satisfies Partial<Record<ShownReport['checked'], string>>

interface FailedResultProps {
  readonly result: ShownResult
  readonly sameCause: readonly ShownResult[]
  readonly onDownload: (format: TestFormat) => unknown
}

const FailedResult = ({ result, sameCause, onDownload }: FailedResultProps) => (
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
    {typeof result.repeat === 'string' && (
      <CopyableText text={result.repeat} what={`the command that repeats ${result.name}`} />
    )}
    <p class="card-footer">
      <TestMenu onDownload={onDownload} />
    </p>
  </li>
)

function OtherResults({
  title,
  results,
}: {
  readonly title: string
  readonly results: readonly ShownResult[]
}) {
  if (results.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <ul class="plain">
        {results.map((result) => (
          <li key={result.name}>
            {result.name}{' '}
            <span class="muted">{result.outcome === 'skipped' ? whySkipped(result) : result.title}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
