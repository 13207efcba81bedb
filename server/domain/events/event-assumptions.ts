import type { AssumptionName } from '../behaviors/open-points.ts'

interface EventFacts {
  readonly type: string
  readonly assumed?: readonly AssumptionName[]
  readonly state?: unknown
  readonly httpStatus?: unknown
  readonly errorCode?: unknown
}

/** The open points that an event depends on. */
export const listAssumptions = (event: EventFacts): readonly AssumptionName[] => [
  ...(event.assumed ?? []),
  ...unlistedAssumptions(event),
]

/** The open points that an event depends on because of its link or webhook, for events that do not list them. */
function unlistedAssumptions(event: EventFacts): readonly AssumptionName[] {
  switch (event.type) {
    case 'link.cancelled':
      return ['cancelWebhook']
    case 'link.declined':
    case 'bank_transfer.initiated':
    case 'bank_transfer.rejected':
      return ['linkStates']
    case 'delivery.attempted':
      return [
        ...(event.state === 'failed' ? ['retries' as const] : []),
        ...(isLateOrRedirect(event) ? ['webhookAnswer' as const] : []),
      ]
    default:
      return []
  }
}

const isLateOrRedirect = ({ httpStatus, errorCode }: EventFacts): boolean =>
  errorCode === 'timeout' || (typeof httpStatus === 'number' && httpStatus >= 300 && httpStatus < 400)
