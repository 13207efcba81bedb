import type { EventView } from '../../server/contract/views.ts'
import { topicOf } from '../../server/domain/events/event.ts'
import { BodyView } from './body-view.tsx'
import { HeaderTable } from './header-table.tsx'
import { selectedExchange } from './selected-event.ts'
import { NoExchange } from './no-exchange.tsx'

interface Props {
  readonly event: EventView
  readonly isPretty: boolean
}

export function RequestTab({ event, isPretty }: Props) {
  const exchange = selectedExchange.value
  if (!exchange) return <NoExchange />
  const { method, url, headers, body } = exchange.request

  return (
    <>
      {topicOf(event) === 'redirect' ? (
        <>
          <p class="first-line">
            <strong>{method}</strong> {url}
          </p>
          <p class="muted">
            The customer’s browser sends this request, so the sandbox knows only its address.
          </p>
        </>
      ) : (
        <>
          <BodyView
            headers={headers}
            body={body}
            isPretty={isPretty}
            isUnsent={event.type === 'delivery.held'}
          />
          <section class="message-head">
            <p class="first-line">
              <strong>{method}</strong> {url}
            </p>
            <HeaderTable headers={headers} />
          </section>
        </>
      )}
    </>
  )
}
