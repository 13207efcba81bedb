import { parseHost } from '../../domain/network/allowed-host.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { applyMaps, type OriginMap } from '../../domain/network/origin-map.ts'
import type { ControlContext } from '../context.ts'
import { checkTargets } from './check-targets.ts'

/** How many webhooks do not stay where they were held, of those that are judged anew by other rules. */
export async function countReleased(
  context: Pick<ControlContext, 'checkEgress' | 'ownPath'>,
  again: readonly Delivery[],
  maps: readonly OriginMap[],
): Promise<number> {
  const leads = again.map(({ target, releasedTo }) => ({
    to: applyMaps(target, maps)?.to ?? target,
    releasedTo,
  }))
  const judgementOf = await checkTargets(
    context,
    leads.map(({ to }) => to),
  )
  return leads.filter(
    ({ to, releasedTo }) => releasedTo === parseHost(to) || judgementOf(to).verdict !== 'hold',
  ).length
}
