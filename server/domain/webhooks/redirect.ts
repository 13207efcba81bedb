import type { Subject } from '../links/subject.ts'
import type { StatusText } from './webhook.ts'
import type { AssumptionName } from '../behaviors/behavior.ts'
import type { FaultMark } from '../faults/fault.ts'

/** Webhooks that wait for their redirect, and the epoch of the journal that their ids belong to. */
export interface WaitingWebhooks {
  readonly ids: readonly number[]
  readonly epoch: string | undefined
}

/** Releases webhooks that waited for their redirect. */
export type ReleaseWebhooks = (behind: WaitingWebhooks) => void

/** The address a browser is sent to: the callback URL with the outcome merged into its query, before any fragment. */
export function redirectLocation(callbackUrl: string, payId: number | string, status: string): string {
  const url = new URL(callbackUrl)
  const [id, text] = [String(payId), status].map((part) => encodeURIComponent(part.toWellFormed()))
  const outcome = `pay_id=${id}&status=${text}`
  const query = url.search.replace(/&+$/, '')
  url.search = query === '' || query === '?' ? outcome : `${query}&${outcome}`
  return url.href
}

/** The redirect of a browser after an outcome. */
export interface BrowserRedirect extends Subject {
  readonly location: string
  /** The address before a map replaced it. */
  readonly mappedFrom?: string
  readonly status: StatusText
  readonly assumed: readonly AssumptionName[]
  /** The fault that changed it. */
  readonly fault?: FaultMark
}
