import { plural } from '../../server/contract/format/values.ts'
import type { ShownAssumption } from './behavior-resource.ts'

/** What a comparison with the real service has found about an open point. */
export function ServiceLine({ service }: Pick<ShownAssumption, 'service'>) {
  if (service === null) return null
  const { same, value, on } = service
  if (same) return <p class="service">Confirmed by the service on {on}</p>
  return (
    <p class="service differs">
      {value === null ? 'The service differs' : `The service has ${value}`}, found on {on}
    </p>
  )
}

/** How many events depended on an open point. */
export const EventCount = ({ events }: Pick<ShownAssumption, 'events'>) =>
  events === 0 ? null : <span class="muted event-count">{plural(events, 'event')}</span>
