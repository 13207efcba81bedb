import { signal, type ReadonlySignal } from '@preact/signals'

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query)
  const state = signal(list.matches)
  list.addEventListener('change', () => (state.value = list.matches))
  return state
}

/** Whether the navigation is a bar at the bottom. The style sheets have the same query. */
export const isNarrow = matches('(width < 700px)')

/** Whether the navigation is a rail of icons, with the search on a line of its own. The style sheets have the same query. */
export const isRail = matches('(700px <= width < 1000px)')

/** Whether rows and controls have to be large enough for a finger. The style sheets have the same query. */
export const isTouch = matches('(pointer: coarse)')

/** Whether the page is too narrow for a diagram. */
export const isTiny = matches('(width < 340px)')

/** Whether shortcuts use the command key instead of Ctrl. */
export const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent)
