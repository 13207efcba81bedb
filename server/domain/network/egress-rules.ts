import { type OriginMap, followMap } from './origin-map.ts'
import type { HostAddress } from './dns.ts'
import { matchesHost, hostOf } from './allowed-host.ts'

/** Where notifications may leave to: origins that are mapped, and hosts that webhooks may go to. */
export interface Outlets {
  readonly maps: readonly OriginMap[]
  readonly allowedHosts: readonly string[]
}

/** Whether a webhook may be sent to an address, and the IP addresses that its host resolves to. */
export type Verdict =
  | { readonly verdict: 'send'; readonly addresses: readonly HostAddress[] }
  | { readonly verdict: 'hold'; readonly reason: string }
  | { readonly verdict: 'never'; readonly reason: string }

export const isAllowed = (host: string, { allowedHosts }: Pick<Outlets, 'allowedHosts'>): boolean =>
  allowedHosts.some((pattern) => matchesHost(pattern, host))

/** Whether a webhook that was held may go now: it leads elsewhere than before, or to a host that is allowed. */
export function lets(target: string, before: Outlets, now: Outlets): boolean {
  const [was, is] = [before, now].map(({ maps }) => followMap(target, maps)?.to ?? target) as [string, string]
  const host = hostOf(is)
  return was !== is || (host !== null && isAllowed(host, now))
}
