import type { Screen } from '../browser/hash-route.ts'
import type { IconName } from '../components/icon.tsx'

interface Entry {
  readonly title: string
  /** The name below the icon, if the title is too long. */
  readonly shortTitle?: string
  readonly icon: IconName
  /** On a narrow screen, a tab in the bottom bar or an entry of the More menu. */
  readonly place: 'bar' | 'more'
}

/** How the navigation shows the screens. */
export const screenEntries: Readonly<Record<Screen, Entry>> = {
  overview: { title: 'Overview', icon: 'overview', place: 'bar' },
  timeline: { title: 'Timeline', icon: 'timeline', place: 'bar' },
  payments: { title: 'Payments', icon: 'payments', place: 'bar' },
  review: { title: 'Review', icon: 'review', place: 'bar' },
  faults: { title: 'Faults', icon: 'faults', place: 'more' },
  maps: { title: 'Maps and tunnels', shortTitle: 'Maps', icon: 'tunnel', place: 'more' },
  account: { title: 'Accounts', icon: 'account', place: 'more' },
  sandbox: { title: 'Sandbox', icon: 'sandbox', place: 'more' },
}
