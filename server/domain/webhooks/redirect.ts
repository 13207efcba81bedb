import type { Subject } from '../links/subject.ts'
import type { FieldsOf, redirectFields } from '../events/event-fields.ts'

/** The address for the browser: the callback URL with the outcome added to its query, before a fragment. */
export function redirectLocation(callbackUrl: string, payId: number | string, status: string): string {
  const url = new URL(callbackUrl)
  const [id, text] = [String(payId), status].map((part) => encodeURIComponent(part.toWellFormed()))
  const outcome = `pay_id=${id}&status=${text}`
  const query = url.search.replace(/&+$/, '')
  url.search = query === '' || query === '?' ? outcome : `${query}&${outcome}`
  return url.href
}

/** Whether the query of a callback URL already has one of the redirect's parameters, or whether the URL has a fragment. */
export function isRedirectAmbiguous(callbackUrl: string): boolean {
  const { searchParams, hash } = new URL(callbackUrl)
  return hash !== '' || searchParams.has('pay_id') || searchParams.has('status')
}

/** The redirect of a browser, before maps are applied. */
export type BrowserRedirect = Subject & FieldsOf<typeof redirectFields>

/** A redirect, and whether the browser is closed before it gets there. */
export interface PlannedRedirect {
  readonly redirect: BrowserRedirect
  readonly isLost: boolean
}

/** The address of a redirect with a different status. */
export const withStatus = (location: string, status: string): string =>
  location.replace(/^([^#]*[?&]status=)[^&#]*/, `$1${status}`)
