import { indexOf } from '../log.ts'
import { describeEvent } from '../../server/format/describe-event.ts'
import { connection, log } from '../session.ts'
import { select } from '../timeline/view.ts'
import { DetailActions } from './detail-actions.tsx'
import { DetailTabs } from './detail-tabs.tsx'
import { loadedEvent, selectedEvent } from './selected-event.ts'

/** The details of one event. */
export function Details({ seq }: { readonly seq: number | undefined }) {
  const event = selectedEvent.value
  const row = event && describeEvent(event)

  return (
    <section id="details" class="details" aria-label="Details" tabIndex={-1}>
      {seq !== undefined && (
        <button type="button" class="back" onClick={() => select(undefined)}>
          <span aria-hidden="true">‹ </span>Back
        </button>
      )}
      {seq !== undefined && !event && <Missing seq={seq} />}
      {event && row && (
        <>
          <header>
            <h2>
              <span class="chip" data-kind={row.kind}>
                {row.kind}
              </span>{' '}
              {row.request}
            </h2>
            <DetailActions event={event} />
          </header>
          <DetailTabs event={event} />
        </>
      )}
    </section>
  )
}

function Missing({ seq }: { readonly seq: number }) {
  const { last, head, entries } = log.journal.value
  const loading = loadedEvent.value.state === 'loading' || last < head || indexOf(entries, seq) !== -1
  if (connection.value === 'connecting' || loading) return <p class="hint delayed">Loading event {seq}…</p>
  if (loadedEvent.value.state === 'failed') return <p class="hint">{loadedEvent.value.reason}</p>
  return (
    <div class="hint">
      <h2>Event {seq} is not in this journal</h2>
      <p>A reset may have removed it, or the link is from another sandbox.</p>
      <button type="button" onClick={() => select(undefined)}>
        Show the timeline
      </button>
    </div>
  )
}
