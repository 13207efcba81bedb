import { isNowAllowed } from '../../../server/domain/network/egress-rules.ts'
import { normalizeMap, type OriginMap } from '../../../server/domain/network/origin-map.ts'
import { egressRules } from '../../data/egress-rules.ts'
import { heldWebhookEvents } from './held-webhook-events.ts'

/** How many held webhooks would be sent if a valid map replaced the map from `before`. */
export function countAllowedByMap(map: OriginMap, before: string | undefined): number {
  if (egressRules.value.state !== 'loaded') return 0
  const { maps, allowedHosts } = egressRules.value.value
  const added = normalizeMap(map)
  const next = [...maps.filter(({ from }) => from !== before && from !== added.from), added]
  return heldWebhookEvents.value.filter(({ target }) =>
    isNowAllowed(target, { maps, allowedHosts }, { maps: next, allowedHosts }),
  ).length
}
