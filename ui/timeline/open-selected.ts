import { currentIndex, select, selectedIndex, view } from '../search/view.ts'

/** Focuses the details of the current row, which it selects. */
export function openSelected(): void {
  const current = view.peek().rows[currentIndex.peek()]
  if (selectedIndex.peek() === -1) select(current?.event.seq)
  // The details are rendered first.
  requestAnimationFrame(() => document.getElementById('details')?.focus())
}
