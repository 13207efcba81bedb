import { normalizeMap } from '../../server/domain/network/origin-map.ts'
import { canBeReleased } from '../../server/domain/network/egress-rules.ts'
import { heldWebhookEvents } from './held-webhook-events.ts'
import { rules, type Sides } from './egress-rules.ts'

/** How many webhooks that are held go out once a map is saved. Both its sides are to be without objection. */
export function countReleased(map: Sides, before: string | undefined): number {
  if (rules.value.state !== 'loaded') return 0
  const { maps, allowedHosts } = rules.value.value
  const kept = normalizeMap(map)
  const now = [...maps.filter(({ from }) => from !== before && from !== kept.from), kept]
  return heldWebhookEvents.value.filter(({ target }) =>
    canBeReleased(target, { maps, allowedHosts }, { maps: now, allowedHosts }),
  ).length
}
