import type { Screen } from '../hash-route.ts'

interface Entry {
  readonly title: string
  /** On a narrow screen: a tab of its own, or behind the one that says More. */
  readonly place: 'bar' | 'more'
}

/** Every screen, as the navigation shows it. */
export const screenEntries: Readonly<Record<Screen, Entry>> = {
  timeline: { title: 'Timeline', place: 'bar' },
  payments: { title: 'Payments', place: 'bar' },
  review: { title: 'Review', place: 'bar' },
  faults: { title: 'Faults', place: 'more' },
  maps: { title: 'Maps and tunnels', place: 'more' },
  account: { title: 'Account', place: 'bar' },
}
