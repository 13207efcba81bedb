import type { OutcomeText } from './webhook.ts'

/** The address a browser is sent to: the callback URL with the outcome merged into its query, before any fragment. */
export function redirectLocation(callbackUrl: string, payId: number, status: OutcomeText): string {
  const url = new URL(callbackUrl)
  const outcome = `pay_id=${payId}&status=${status}`
  url.search = url.search === '' ? outcome : `${url.search}&${outcome}`
  return url.href
}
