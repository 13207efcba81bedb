import { findClosestMatch } from '../../server/domain/text/closest-match.ts'
import type { Route, UnknownPart } from './hash-route.ts'
import { findPlace, placeNames, placeTitle, screenTitle, tabsOf, type Place } from './screens.ts'
import type { ToastContent } from './toasts.ts'

/** Says which part of an address is unknown, which place is open instead, and which place is the most similar. */
export function describeUnknown(
  { name, screen }: UnknownPart,
  opened: Place,
  navigate: (to: Partial<Route>) => void,
): ToastContent {
  const problem = screen ? `${screenTitle(screen)} has no “${name}”.` : `There is no screen “${name}”.`
  const place = findNearest(name.toLowerCase(), screen)
  if (!place) return { tone: 'err', text: `${problem} This is ${placeTitle(opened)}.` }
  const title = placeTitle(place)
  return {
    tone: 'err',
    text: `${problem} Did you mean ${title}?`,
    action: {
      label: `Open ${title}`,
      run: () => navigate({ id: undefined, query: '', account: undefined, point: undefined, ...place }),
    },
  }
}

/** The most similar place, preferably a tab of the open screen. */
function findNearest(name: string, screen: UnknownPart['screen']): Place | undefined {
  const tabs = screen ? tabsOf(screen).map(([tab]) => tab) : []
  const tab = tabs.find((known) => known === findClosestMatch(name, tabs))
  if (screen && tab) return { screen, tab }
  return findPlace(findClosestMatch(name, placeNames) ?? '')
}
