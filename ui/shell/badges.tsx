import { reviewItems } from '../data/review-item.ts'
import { computed } from '@preact/signals'
import { tabsOf, type Place, type Screen, type Tab } from '../browser/screens.ts'
import { log } from '../data/session.ts'
import { missedPaymentCount } from '../data/verdict.ts'
import { Badge } from '../components/badge.tsx'
import { FaultBadge } from '../test-screen/faults/fault-badge.live.tsx'

interface Count {
  readonly count: number
  readonly about: string
  /** Whether the badge is quiet, because the number is not a problem. */
  readonly isQuiet?: boolean
}

const missed = (): Count => ({ count: missedPaymentCount.value, about: 'not received by your app' })

const ofTabs: Readonly<Partial<Record<Tab, () => Count>>> = {
  all: missed,
  review: () => ({ count: reviewCount.value, about: 'awaiting a decision', isQuiet: true }),
  'held-webhooks': () => ({ count: log.journal.value.eventIndex.held.size, about: 'held' }),
}

function countsOf({ screen, tab }: Place): readonly Count[] {
  if (tab) return [ofTabs[tab]?.() ?? []].flat()
  // Shows only one number, of the payments that have not reached the app. What awaits a decision is shown on the tab.
  if (screen === 'payments') return [missed()]
  return tabsOf(screen).flatMap(([name]) => ofTabs[name]?.() ?? [])
}

/** The number of things on a screen or a tab that need the user. */
export const Badges = (place: Place) => (
  <>
    {countsOf(place).map((count) => (
      <Badge key={count.about} {...count} />
    ))}
    {place.screen === 'test' && (place.tab ?? 'faults') === 'faults' && <FaultBadge />}
  </>
)

/** Whether a screen has a problem for the user to solve. */
export const hasProblem = (screen: Screen): boolean =>
  countsOf({ screen }).some(({ count, isQuiet }) => count > 0 && !isQuiet)

/** How many decisions the operator has to make. The navigation shows it. */
const reviewCount = computed(() => reviewItems(log.journal.value.eventIndex.awaitingReview.values()).length)
