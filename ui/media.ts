import { signal, type ReadonlySignal } from '@preact/signals'

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query)
  const state = signal(list.matches)
  list.addEventListener('change', () => (state.value = list.matches))
  return state
}

/** There is room for one pane and a bar of tabs below it. The stylesheet asks the same. */
export const isNarrow = matches('(max-width: 700px)')

/** Rows are two lines high where fingers point, or where a line is too short. The stylesheet asks the same. */
export const hasTwoLineRows = matches('(pointer: coarse), (max-width: 700px)')
