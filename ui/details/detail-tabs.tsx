import type { ShownEvent } from '../../server/control/present.ts'
import { remembered } from '../remembered.ts'
import { tabId, Tabs } from '../shell/tabs.tsx'
import { Overview } from './overview.tsx'
import { RequestTab } from './request-tab.tsx'
import { ResponseTab } from './response-tab.tsx'

const names = ['Overview', 'Request', 'Response'] as const
const tab = remembered('tab', names)
const layout = remembered('body', ['pretty', 'raw'])

export function DetailTabs({ event }: { readonly event: ShownEvent }) {
  const current = goesOverWire(event) ? tab.value : 'Overview'
  const isPretty = layout.value === 'pretty'

  return (
    <>
      <div class="tab-bar">
        <Tabs
          label="Parts of the event"
          names={goesOverWire(event) ? names : ['Overview']}
          current={current}
          panel="part"
          onSelect={(name) => (tab.value = name)}
        />
        {current !== 'Overview' && (
          <label class="switch">
            <input
              type="checkbox"
              checked={isPretty}
              onChange={({ currentTarget }) => (layout.value = currentTarget.checked ? 'pretty' : 'raw')}
            />
            Pretty
          </label>
        )}
      </div>
      <div id="part" class="part" role="tabpanel" tabIndex={0} aria-labelledby={tabId('part', current)}>
        {current === 'Overview' && <Overview event={event} />}
        {current === 'Request' && <RequestTab event={event} isPretty={isPretty} />}
        {current === 'Response' && <ResponseTab event={event} isPretty={isPretty} />}
      </div>
    </>
  )
}

/** Whether there is a request to show. */
const goesOverWire = ({ type }: ShownEvent): boolean => /^(call|page|redirect|delivery|tunnel)\./.test(type)
