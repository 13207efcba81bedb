import { parseHost } from '../../domain/network/allowed-host.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { applyMaps, type OriginMap } from '../../domain/network/origin-map.ts'
import { checkTargets, type EgressChecks } from './check-targets.ts'

/** How many of the requeued webhooks the new egress rules allow. */
export async function countAllowed(
  checks: EgressChecks,
  requeued: readonly Delivery[],
  maps: readonly OriginMap[],
): Promise<number> {
  const mapped = requeued.map(({ target, allowedTo }) => ({
    target: applyMaps(target, maps)?.to ?? target,
    allowedTo,
  }))
  const verdictOf = await checkTargets(
    checks,
    mapped.map(({ target }) => target),
  )
  return mapped.filter(
    ({ target, allowedTo }) => allowedTo === parseHost(target) || verdictOf(target).verdict !== 'hold',
  ).length
}
