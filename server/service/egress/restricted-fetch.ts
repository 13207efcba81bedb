import { Client, fetch } from 'undici'
import { authorizeRequest, readResponse, type HttpFetch } from '../../domain/http/http-fetch.ts'
import { connectTo } from './connect-to.ts'
import { whyNotSent } from '../../domain/network/egress-text.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { splitCredentials } from '../../domain/network/credentials.ts'

interface Options {
  readonly checkEgress: EgressPolicy
  /** How long connecting may take, in milliseconds. */
  readonly timeoutMs: number
  readonly certificateFor: (url: URL) => string | undefined
}

/**
 * Creates a `fetch` that reaches only addresses to which the egress policy allows forged webhooks. Throws for any other address.
 * Connects only to the IP addresses that the policy has checked, and does not follow redirects.
 */
export const createRestrictedFetch =
  ({ checkEgress, timeoutMs, certificateFor }: Options): HttpFetch =>
  async (address, request) => {
    const { url, authorization } = splitCredentials(address)
    const verdict = await checkEgress(url, { isAllowedOnce: false, isForged: true })
    if (verdict.verdict !== 'send') throw new Error(whyNotSent(verdict))
    const client = new Client(url.origin, {
      connect: connectTo(url, verdict.addresses, timeoutMs, certificateFor(url)),
    })
    try {
      const authorized = authorizeRequest(request, authorization)
      const response = await fetch(url, { ...authorized, redirect: 'manual', dispatcher: client })
      return await readResponse({
        status: response.status,
        headers: [...response.headers],
        body: response.body,
      })
    } finally {
      await client.destroy()
    }
  }
