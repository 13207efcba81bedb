import { signal, type ReadonlySignal } from '@preact/signals'

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query)
  const state = signal(list.matches)
  list.addEventListener('change', () => (state.value = list.matches))
  return state
}

/** The screen has room for one pane, with tabs below it. The style sheets use the same query. */
export const isNarrow = matches('(max-width: 700px)')

/** Rows have two lines on touch screens and on narrow screens. The style sheets use the same query. */
export const hasTwoLineRows = matches('(pointer: coarse), (max-width: 700px)')

/** A diagram does not fit. */
export const isTiny = matches('(max-width: 339px)')

/** Pages have one column. The style sheets use the same query. */
export const isOneColumn = matches('(width < 1000px)')
