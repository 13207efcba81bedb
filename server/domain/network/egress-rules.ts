import { type OriginMap, applyMaps } from './origin-map.ts'
import type { HostAddress } from './dns.ts'
import { matchesHost, parseHost } from './allowed-host.ts'

/** Where webhooks may be sent: mapped origins and allowed hosts. */
export interface EgressRules {
  readonly maps: readonly OriginMap[]
  readonly allowedHosts: readonly string[]
}

/**
 * Where the addresses of a host that is not allowed are. With `public`, all are beyond this machine and private networks. With
 * `mixed`, only some are.
 */
export type HostScope = 'public' | 'mixed'

/** What `service/egress/egress-policy.ts` decides for an address: whether a webhook may be sent to it, and the IP addresses that its host resolves to. */
export type EgressVerdict =
  | { readonly verdict: 'send'; readonly addresses: readonly HostAddress[] }
  | { readonly verdict: 'hold'; readonly host: string; readonly hostScope: HostScope }
  | { readonly verdict: 'never'; readonly reason: string }

const isAllowedHost = (host: string, { allowedHosts }: Pick<EgressRules, 'allowedHosts'>): boolean =>
  allowedHosts.some((pattern) => matchesHost(pattern, host))

/** Whether a held webhook may be sent now, because a map changes its address or its host is allowed. */
export function isNowAllowed(target: string, before: EgressRules, now: EgressRules): boolean {
  const [addressBefore, addressNow] = [before, now].map(
    ({ maps }) => applyMaps(target, maps)?.to ?? target,
  ) as [string, string]
  const host = parseHost(addressNow)
  return addressBefore !== addressNow || (host !== null && isAllowedHost(host, now))
}
