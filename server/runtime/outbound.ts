import type { SandboxSettings } from './config/read-options.ts'
import type { WrittenWebhook } from '../verify/app/webhooks/write-webhook.ts'
import { createFindContainerHost } from '../service/egress/container-host.ts'
import { withContainerFallback } from '../service/egress/container-fallback.ts'
import { createEgressPolicy } from '../service/egress/egress-policy.ts'
import { createPost, type Post } from '../service/egress/post.ts'
import { createTargetResolver } from '../platform/http/own-path.ts'
import { whyNotSent } from '../domain/network/egress-text.ts'
import type { ResolveOwnPath } from '../domain/network/urls.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { Store } from '../store/store.ts'
import { version } from '../platform/system/version.ts'

interface Address {
  readonly origin: () => string
  readonly port: () => number
  readonly ownPath: ResolveOwnPath
  readonly isInContainer: boolean
  /** The certificate that the sandbox uses for https. */
  readonly cert: string | undefined
}

/** What a sandbox needs to send requests: the egress policy, and how the sandbox reaches itself. */
export function createOutbound(
  store: Store,
  { deliveryTimeoutMs: timeoutMs, lookup }: SandboxSettings,
  { origin, port, ownPath, isInContainer, cert }: Address,
) {
  const addressOf = createTargetResolver(ownPath, origin)
  const urlOf = (target: string): URL => addressOf(target) ?? new URL(target)
  const certificateFor = (url: URL) => (url.origin === origin() ? cert : undefined)
  const poster = createPost({ timeoutMs, userAgent: `paylink-sandbox/${version}`, certificateFor })
  const checkEgress = createEgressPolicy(
    async () => (await egressRules.read(store.db)).allowedHosts,
    lookup,
    (url) => url.origin === origin(),
  )
  const post = isInContainer
    ? withContainerFallback(poster.post, createFindContainerHost(checkEgress), port)
    : poster.post

  return {
    addressOf,
    checkEgress,
    post,
    /** Finds out whether a webhook to an address would be sent. */
    checkTarget: (target: string, isForged = false) =>
      checkEgress(urlOf(target), { isAllowedOnce: false, isForged }),
    /** Posts a webhook that belongs to no payment, or opens a page. */
    async probe(
      to: string,
      webhook: WrittenWebhook & Pick<Parameters<Post>[2], 'method' | 'headers' | 'beforeLastByte'>,
      signal: AbortSignal,
    ) {
      const url = urlOf(to)
      const verdict = await checkEgress(url, { isAllowedOnce: false, isForged: true })
      if (verdict.verdict !== 'send') return { heldReason: whyNotSent(verdict) }
      return post(url, verdict.addresses, webhook, signal)
    },
    /** Opens the client that fetches pages of an app under test. */
    async openFetchApp() {
      const { createRestrictedFetch } = await import('../service/egress/restricted-fetch.ts')
      return createRestrictedFetch({ checkEgress, timeoutMs, certificateFor })
    },
    close: poster.close,
  }
}

export type Outbound = ReturnType<typeof createOutbound>
