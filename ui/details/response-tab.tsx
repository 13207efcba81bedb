import type { EventView } from '../../server/contract/views.ts'
import type { Response } from '../../server/domain/http/exchange.ts'
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
  const { response, sandboxResponse } = exchange
  const answer = <Answer response={response} isPretty={isPretty} />
  if (!sandboxResponse) return answer
  return (
    <div class="both-answers">
      <section>{answer}</section>
      <section>
        <h3>What the sandbox would have answered</h3>
        <Answer response={sandboxResponse} isPretty={isPretty} />
      </section>
    </div>
  )
}

interface AnswerProps {
  readonly response: Response
  readonly isPretty: boolean
}

const Answer = ({ response: { status, headers, body }, isPretty }: AnswerProps) => (
  <>
    <p class="first-line">
      HTTP <strong>{status}</strong>
    </p>
    <BodyView headers={headers} body={body} isPretty={isPretty} />
    <HeaderTable headers={headers} />
  </>
)

function whyNoResponse(event: EventView): string {
  switch (event.type) {
    case 'delivery.attempted':
    case 'check.sent':
    case 'tunnel.answered':
      return `No response: ${event.error ?? 'the reason is unknown'}.`
    case 'tunnel.captured':
      return 'The request was forwarded. The next rows show the listeners’ responses.'
    case 'api.request':
      return 'The connection was reset. The caller received no response.'
    case 'delivery.held':
      return 'Nothing was sent, because the webhook is held.'
    case 'delivery.queued':
    case 'delivery.allowed':
      return 'The webhook was not sent yet. Select its attempt to see the response.'
    default:
      return 'The response went to the customer’s browser. The sandbox does not see it.'
  }
}
