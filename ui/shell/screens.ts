import type { Screen } from '../hash-route.ts'

interface Entry {
  readonly title: string
  /** On a narrow screen, a tab in the bottom bar or an entry of the More menu. */
  readonly place: 'bar' | 'more'
}

/** How the navigation shows the screens. */
export const screenEntries: Readonly<Record<Screen, Entry>> = {
  timeline: { title: 'Timeline', place: 'bar' },
  payments: { title: 'Payments', place: 'bar' },
  review: { title: 'Review', place: 'bar' },
  faults: { title: 'Faults', place: 'more' },
  maps: { title: 'Maps and tunnels', place: 'more' },
  account: { title: 'Accounts', place: 'more' },
  sandbox: { title: 'Sandbox', place: 'more' },
}
