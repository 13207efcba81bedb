import { type OriginMap, applyMaps } from './origin-map.ts'
import type { HostAddress } from './dns.ts'
import { matchesHost, parseHost } from './allowed-host.ts'

/** Where notifications may leave to: origins that are mapped, and hosts that webhooks may go to. */
export interface EgressRules {
  readonly maps: readonly OriginMap[]
  readonly allowedHosts: readonly string[]
}

/** Whether a webhook may be sent to an address, and the IP addresses that its host resolves to. */
export type EgressVerdict =
  | { readonly verdict: 'send'; readonly addresses: readonly HostAddress[] }
  | { readonly verdict: 'hold'; readonly reason: string }
  | { readonly verdict: 'never'; readonly reason: string }

export const isAllowedHost = (host: string, { allowedHosts }: Pick<EgressRules, 'allowedHosts'>): boolean =>
  allowedHosts.some((pattern) => matchesHost(pattern, host))

/** Whether a webhook that was held may go now: it leads elsewhere than before, or to a host that is allowed. */
export function canBeReleased(target: string, before: EgressRules, now: EgressRules): boolean {
  const [addressBefore, addressNow] = [before, now].map(
    ({ maps }) => applyMaps(target, maps)?.to ?? target,
  ) as [string, string]
  const host = parseHost(addressNow)
  return addressBefore !== addressNow || (host !== null && isAllowedHost(host, now))
}
