import type { EventView } from '../../server/contract/views.ts'

type CallView = Extract<EventView, { type: 'api.request' | 'api.limited' }>

/** How the answer of the real service differs from the sandbox's own. The tab `Response` shows both. */
export function Differences({
  event: { differences = [], comparisonSkipped },
}: {
  readonly event: CallView
}) {
  return (
    <section aria-label="Compared with the sandbox">
      <h3>Compared with the sandbox</h3>
      {differences.length > 0 ? (
        <ul class="differences">
          {differences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : (
        <p class="muted">{comparisonSkipped ?? 'The sandbox would have given the same response.'}</p>
      )}
    </section>
  )
}
