import { Client, fetch } from 'undici'
import { readBodyText, type HttpFetch } from '../domain/http/http-fetch.ts'
import { connectTo } from './connect-to.ts'
import type { EgressPolicy } from './egress-policy.ts'

interface Options {
  readonly checkEgress: EgressPolicy
  /** How long a connection may take. */
  readonly timeoutMs: number
  readonly certificateFor: (url: URL) => string | undefined
}

/** Asks where something forged may go, at the addresses that the guard has seen, and follows no redirect. */
export const createRestrictedFetch =
  ({ checkEgress: guard, timeoutMs, certificateFor }: Options): HttpFetch =>
  async (address, request) => {
    const url = new URL(address)
    const verdict = await guard(url, { released: false, isForged: true })
    if (verdict.verdict !== 'send') throw new Error(verdict.reason)
    const client = new Client(url.origin, {
      connect: connectTo(url, verdict.addresses, timeoutMs, certificateFor(url)),
    })
    try {
      const response = await fetch(url, { ...request, redirect: 'manual', dispatcher: client })
      const { status, headers } = response
      return { status, location: headers.get('location'), text: await readBodyText(response.body) }
    } finally {
      await client.destroy()
    }
  }
