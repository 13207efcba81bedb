import { indexOf } from '../log.ts'
import { describeEvent } from '../../server/format/describe-event.ts'
import { connection, log } from '../session.ts'
import { select } from '../timeline/view.ts'
import { DetailsPane, NotInJournal } from '../shell/details-pane.tsx'
import { DetailActions } from './detail-actions.tsx'
import { DetailTabs } from './detail-tabs.tsx'
import { loadedEvent, selectedEvent } from './selected-event.ts'

const close = () => select(undefined)

/** The details of one event. */
export function Details({ seq }: { readonly seq: number | undefined }) {
  const event = selectedEvent.value
  const row = event && describeEvent(event)

  return (
    <DetailsPane label="Details" isOpen={seq !== undefined} onClose={close}>
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
    </DetailsPane>
  )
}

function Missing({ seq }: { readonly seq: number }) {
  const { last, head, entries } = log.journal.value
  const isLoading = loadedEvent.value.state === 'loading' || last < head || indexOf(entries, seq) !== -1
  if (connection.value === 'connecting' || isLoading) return <p class="hint delayed">Loading event {seq}…</p>
  if (loadedEvent.value.state === 'failed') return <p class="hint">{loadedEvent.value.reason}</p>
  return <NotInJournal name={`Event ${seq}`} listName="timeline" onClose={close} />
}
