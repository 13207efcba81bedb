import { signal, type ReadonlySignal } from '@preact/signals'

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query)
  const state = signal(list.matches)
  list.addEventListener('change', () => (state.value = list.matches))
  return state
}

/** Whether the navigation is a bar below the screen. The style sheets use the same query. */
export const isNarrow = matches('(width < 700px)')

/** Whether the navigation is a rail of icons, and the search has its own line. The style sheets use the same query. */
export const isRail = matches('(700px <= width < 1000px)')

/** Whether rows and controls are large enough for a finger. The style sheets use the same query. */
export const isTouch = matches('(pointer: coarse)')

/** Whether the page is too narrow for a diagram. */
export const isTiny = matches('(width < 340px)')

/** Whether shortcuts use the command key instead of Ctrl. */
export const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent)
