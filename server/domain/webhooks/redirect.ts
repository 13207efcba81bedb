import type { Subject } from '../links/subject.ts'
import type { FieldsOf, redirectFields } from '../events/event-fields.ts'

/** Webhooks that wait for their redirect, and the epoch of their ids. */
export interface WaitingWebhooks {
  readonly ids: readonly number[]
  readonly epoch: string | undefined
}

/** Releases webhooks that waited for their redirect. */
export type ReleaseWebhooks = (behind: WaitingWebhooks) => void

/** The address for the browser: the callback URL with the outcome added to its query, before any fragment. */
export function redirectLocation(callbackUrl: string, payId: number | string, status: string): string {
  const url = new URL(callbackUrl)
  const [id, text] = [String(payId), status].map((part) => encodeURIComponent(part.toWellFormed()))
  const outcome = `pay_id=${id}&status=${text}`
  const query = url.search.replace(/&+$/, '')
  url.search = query === '' || query === '?' ? outcome : `${query}&${outcome}`
  return url.href
}

/** Whether the query of a callback URL has a parameter of the redirect, or a fragment follows it. */
export function isRedirectAmbiguous(callbackUrl: string): boolean {
  const { searchParams, hash } = new URL(callbackUrl)
  return hash !== '' || searchParams.has('pay_id') || searchParams.has('status')
}

/** The redirect of a browser after an outcome. */
export type BrowserRedirect = Subject & FieldsOf<typeof redirectFields>
