import { parseHost } from './allowed-host.ts'
import type { EgressVerdict, HostScope } from './egress-rules.ts'

interface HeldWebhook {
  readonly host: string
  readonly hostScope: HostScope
  readonly target: string
  readonly mappedTo?: string | undefined
  readonly similarMap?: string | undefined
}

export const hostScopeText = ({ host, hostScope }: Pick<HeldWebhook, 'host' | 'hostScope'>): string =>
  hostScope === 'mixed'
    ? `${host} has addresses on this machine or a private network, and others`
    : `${host} is not on this machine or a private network`

/** Why nothing was sent to an address. */
export const whyNotSent = (verdict: Exclude<EgressVerdict, { verdict: 'send' }>): string =>
  verdict.verdict === 'never' ? verdict.reason : hostScopeText(verdict)

/** How to send webhooks to a target that the egress policy does not allow. */
export function allowHints({
  target,
  mappedTo,
  similarMap,
}: Omit<HeldWebhook, 'host' | 'hostScope'>): string {
  const allow = `allow the host (--allow-host ${parseHost(mappedTo ?? target)})`
  const { origin } = new URL(target)
  // A mapped address is not mapped again.
  if (mappedTo !== undefined) return `${allow}, or map ${origin} elsewhere`
  return `${allow}, or map ${origin}${similarMap === undefined ? '' : `: the map of ${similarMap} is not for it`}`
}

/** Why a webhook is held, and how to send it. */
export const heldText = (held: HeldWebhook): string =>
  `${hostScopeText(held)}. Allow this delivery once, ${allowHints(held)}`
