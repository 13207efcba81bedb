import { describe } from '../describe.ts'
import { formatRoute } from '../hash-route.ts'
import { log } from '../session.ts'
import { Time } from '../shell/time.tsx'

/** Everything that happened to a link, oldest first. */
export function Journey({ payId }: { readonly payId: number }) {
  return (
    <ol class="journey">
      {log.journal.value.ledger.journeyOf(payId).map((event) => {
        const row = describe(event)
        return (
          <li key={event.seq} data-tone={row.tone}>
            <a class="time" href={formatRoute({ screen: 'timeline', id: event.seq })}>
              <Time at={event.at} />
            </a>
            <span class="chip" data-kind={row.kind}>
              {row.kind}
            </span>
            <span class="status" data-tone={row.tone}>
              {row.status}
            </span>
            <span class="told" title={`${row.request} ${row.message}`}>
              {row.request} <span class="muted">{row.message}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
