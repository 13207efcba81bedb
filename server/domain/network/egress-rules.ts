import { type OriginMap, applyMaps } from './origin-map.ts'
import type { HostAddress } from './dns.ts'
import { matchesHost, parseHost } from './allowed-host.ts'

/** Where webhooks may be sent: mapped origins and allowed hosts. */
export interface EgressRules {
  readonly maps: readonly OriginMap[]
  readonly allowedHosts: readonly string[]
}

/**
 * Where a host is that is not allowed. `public`: all its addresses are outside this machine and private networks. `mixed`: only
 * some of them are.
 */
export type HostScope = 'public' | 'mixed'

/**
 * What `service/egress/egress-policy.ts` has decided for an address: whether a webhook may be sent there, and the IP addresses of
 * the host.
 */
export type EgressVerdict =
  | { readonly verdict: 'send'; readonly addresses: readonly HostAddress[] }
  | { readonly verdict: 'hold'; readonly host: string; readonly hostScope: HostScope }
  | { readonly verdict: 'never'; readonly reason: string }

const isAllowedHost = (host: string, { allowedHosts }: Pick<EgressRules, 'allowedHosts'>): boolean =>
  allowedHosts.some((pattern) => matchesHost(pattern, host))

/** Whether a held webhook may be sent now, because a map changes its address, or because its host is now allowed. */
export function isNowAllowed(target: string, before: EgressRules, after: EgressRules): boolean {
  const [addressBefore, addressNow] = [before, after].map(
    ({ maps }) => applyMaps(target, maps)?.to ?? target,
  ) as [string, string]
  const host = parseHost(addressNow)
  return addressBefore !== addressNow || (host !== null && isAllowedHost(host, after))
}
