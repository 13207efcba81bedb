import { findClosestMatch } from '../../server/domain/text/closest-match.ts'
import type { Route } from './hash-route.ts'
import { findPlace, placeNames, placeTitle, startScreen } from './screens.ts'
import type { ToastContent } from './toasts.ts'

/** Says that an address has no screen, and names the nearest one. */
export function describeUnknown(name: string, navigate: (to: Partial<Route>) => void): ToastContent {
  // A report leaves out the library that finds close names, to stay small.
  const place = CAN_ACT ? findPlace(findClosestMatch(name.toLowerCase(), placeNames) ?? '') : undefined
  const problem = `There is no screen “${name}”.`
  if (!place) return { tone: 'err', text: `${problem} This is the ${startScreen}.` }
  const title = placeTitle(place)
  return {
    tone: 'err',
    text: `${problem} The nearest is ${title}.`,
    action: {
      label: `Open ${title}`,
      run: () => navigate({ id: undefined, query: '', account: undefined, point: undefined, ...place }),
    },
  }
}
