import type { EventView } from '../../server/contract/views.ts'
import { BodyView } from './body-view.tsx'
import { HeaderTable } from './header-table.tsx'
import { NoExchange } from './no-exchange.tsx'
import { selectedExchange } from './selected-event.ts'

interface Props {
  readonly event: EventView
  readonly isPretty: boolean
}

export function ResponseTab({ event, isPretty }: Props) {
  const exchange = selectedExchange.value
  if (!exchange) return <NoExchange />
  if (!exchange.response) return <p class="muted">{whyNoResponse(event)}</p>
  const { status, headers, body } = exchange.response

  return (
    <>
      <p class="first-line">
        HTTP <strong>{status}</strong>
      </p>
      <HeaderTable headers={headers} />
      <BodyView headers={headers} body={body} isPretty={isPretty} />
    </>
  )
}

function whyNoResponse(event: EventView): string {
  switch (event.type) {
    case 'delivery.attempted':
    case 'check.sent':
    case 'tunnel.answered':
      return `No answer came: ${event.error ?? 'the reason is not known'}.`
    case 'tunnel.captured':
      return 'Listeners were asked. What they answered is in the rows that follow.'
    case 'api.request':
      return 'The connection was reset: no answer reached the caller.'
    case 'delivery.held':
      return 'Nothing was sent: the webhook is held.'
    case 'delivery.queued':
    case 'delivery.released':
      return 'This webhook was on its way. The answer is with its attempt.'
    default:
      return 'The answer went to the customer’s browser. The sandbox does not see it.'
  }
}
