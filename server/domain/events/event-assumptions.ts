import type { AssumptionName } from '../behaviors/open-points.ts'

interface Assuming {
  readonly type: string
  readonly assumed?: readonly AssumptionName[]
  readonly state?: unknown
}

/** The open points that an event depends on. */
export const listAssumptions = (event: Assuming): readonly AssumptionName[] => [
  ...(event.assumed ?? []),
  ...unlistedAssumptions(event),
]

/** Behaviors that decided that nothing was sent, so that no event lists them. */
function unlistedAssumptions({ type, state }: Assuming): readonly AssumptionName[] {
  if (type === 'link.cancelled') return ['cancelWebhook']
  if (type === 'delivery.attempted' && state === 'failed') return ['retries']
  return []
}
