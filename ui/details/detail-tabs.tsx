import { useMemo } from 'preact/hooks'
import type { EventView } from '../../server/contract/views.ts'
import { topicOf, type EventTopic } from '../../server/domain/events/event.ts'
import { storedChoice } from '../browser/local-storage.ts'
import { tabId, Tabs } from './tabs.tsx'
import { attemptsOf } from '../data/attempts.ts'
import { AttemptsTab } from './attempts-tab.tsx'
import { prettyBody } from '../components/body-text.ts'
import { Overview } from './overview.tsx'
import { RequestTab } from './request-tab.tsx'
import { ResponseTab } from './response-tab.tsx'
import { selectedExchange } from './selected-event.ts'

const names = ['Overview', 'Request', 'Response', 'Attempts'] as const
const tab = storedChoice('tab', names)
const layout = storedChoice('body', ['pretty', 'raw'])

const WITH_REQUEST = new Set<EventTopic>(['api', 'check', 'redirect', 'tunnel'])

/** The tab for an event. If the event does not have the chosen tab, the first tab. */
export const currentTab = (event: EventView) => (tabsFor(event).includes(tab.value) ? tab.value : names[0])

export function DetailTabs({ event }: { readonly event: EventView }) {
  const offered = tabsFor(event)
  const current = currentTab(event)
  const exchange = selectedExchange.value
  const message =
    current === 'Request' ? exchange?.request : current === 'Response' ? exchange?.response : undefined
  const canFormat = useMemo(() => Boolean(message && prettyBody(message.headers, message.body)), [message])
  const isPretty = canFormat && layout.value === 'pretty'

  return (
    <>
      <div class="tab-bar">
        <Tabs
          label="Event details"
          names={offered}
          counts={'deliveryId' in event ? { Attempts: attemptsOf(event.deliveryId).length } : {}}
          current={current}
          panel="part"
          onSelect={(name) => (tab.value = name)}
        />
        {message && message.body.size > 0 && (
          <label class="switch">
            <input
              type="checkbox"
              checked={isPretty}
              disabled={!canFormat}
              onChange={({ currentTarget }) => (layout.value = currentTarget.checked ? 'pretty' : 'raw')}
            />
            Pretty
          </label>
        )}
      </div>
      <div
        id="part"
        class="details-body"
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={tabId('part', current)}
      >
        {current === 'Overview' && <Overview event={event} />}
        {current === 'Request' && <RequestTab event={event} isPretty={isPretty} />}
        {current === 'Response' && <ResponseTab event={event} isPretty={isPretty} />}
        {current === 'Attempts' && 'deliveryId' in event && <AttemptsTab event={event} />}
      </div>
    </>
  )
}

/** The tabs that an event has. */
function tabsFor(event: EventView): readonly (typeof names)[number][] {
  if ('deliveryId' in event) return names
  return WITH_REQUEST.has(topicOf(event)) ? names.slice(0, 3) : ['Overview']
}
