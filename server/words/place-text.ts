import type { Place } from '../domain/fault.ts'

/** Where a fault strikes, for people. */
export const placeText: Readonly<Record<Place, string>> = {
  api: 'calls',
  webhook: 'webhooks',
  redirect: 'redirects',
}
