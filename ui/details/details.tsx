import type { EventView } from '../../server/contract/views.ts'
import { formatAmount } from '../../server/contract/format/values.ts'
import { describeEvent, splitUrl } from '../../server/contract/format/describe-event.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { indexOf } from '../data/log.ts'
import { ReplayPane } from '../replay/replay-pane.live.tsx'
import { editedDelivery } from '../replay/replay-state.ts'
import { isLoadingEvents, log } from '../data/session.ts'
import { select, step } from '../search/view.ts'
import { DetailsPane, NotInJournal } from '../components/details-pane.tsx'
import { Icon } from '../components/icon.tsx'
import { lazy } from '../components/lazy.tsx'
import { DetailActions } from './detail-actions.tsx'
import { currentTab, DetailTabs } from './detail-tabs.tsx'
import { attemptsOf } from '../data/attempts.ts'
import { loadedEvent, selectedEvent } from './selected-event.ts'

const FailureCard = lazy(async () => (await import('./failure-card.tsx')).FailureCard, 'empty')

const close = () => select(undefined)

/** The details of one event. */
export function Details({ seq }: { readonly seq: number | undefined }) {
  const event = selectedEvent.value
  if (event && editedDelivery.value !== undefined) return <ReplayPane event={event} />
  return (
    <DetailsPane label="Details" listName="Timeline" isOpen={seq !== undefined} onClose={close} onStep={step}>
      {seq !== undefined && !event && <Missing seq={seq} />}
      {event && (
        <>
          <Header event={event} />
          <FailureCard event={event} isFolded={currentTab(event) !== 'Overview'} />
          <DetailTabs event={event} />
        </>
      )}
    </DetailsPane>
  )
}

function Header({ event }: { readonly event: EventView }) {
  const { kind, payId } = describeEvent(event)
  const link = log.journal.value.eventIndex.linkOf(payId)
  return (
    <header>
      <div class="detail-bar bar">
        <span class="kind" data-kind={kind}>
          <Icon name={kind} size={14} />
          {kind}
        </span>
        <span class="muted subtitle">{subtitleOf(event)}</span>
        <DetailActions event={event} />
        <button type="button" class="close" aria-label="Close" title="Close (Esc)" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <h2>{titleOf(event)}</h2>
      {payId !== null && (
        <p class="about">
          <a href={formatRoute({ screen: 'payments', id: payId })}>Payment {payId}</a>
          {link && (
            <>
              {' '}
              · {formatAmount(link.amount)}
              {link.note !== '' && (
                <>
                  {' '}
                  · <bdi>{link.note}</bdi>
                </>
              )}
            </>
          )}
        </p>
      )}
    </header>
  )
}

function titleOf(event: EventView): string {
  if ('deliveryId' in event && event.type !== 'delivery.allowed') {
    const { host, path } = splitUrl('mappedTo' in event && event.mappedTo ? event.mappedTo : event.target)
    return `POST ${host}${path}`
  }
  return 'operation' in event ? event.operation : describeEvent(event).lead
}

function subtitleOf(event: EventView): string {
  switch (event.type) {
    case 'delivery.attempted': {
      const count = attemptsOf(event.deliveryId).length
      const origin = event.replayOf === null ? '' : `replay of delivery ${event.replayOf}`
      return count > 1 ? `attempt ${event.attempt} of ${count}` : origin
    }
    case 'delivery.held':
      return 'held, not sent'
    case 'diagnostic.found':
      return event.severity
    default:
      return ''
  }
}

function Missing({ seq }: { readonly seq: number }) {
  const { entries } = log.journal.value
  const isLoading =
    isLoadingEvents.value || loadedEvent.value.state === 'loading' || indexOf(entries, seq) !== -1
  if (isLoading) return <p class="hint delayed">Loading event {seq}…</p>
  if (loadedEvent.value.state === 'failed') return <p class="hint">{loadedEvent.value.reason}</p>
  return <NotInJournal name={`Event ${seq}`} onClose={close} />
}
