import { currentIndex, select, selectedIndex, view } from '../search/view.ts'

/** Selects the current row, and focuses its details. */
export function openSelected(): void {
  const current = view.peek().rows[currentIndex.peek()]
  if (selectedIndex.peek() === -1) select(current?.event.seq)
  // Waits until the details are rendered.
  requestAnimationFrame(() => document.getElementById('details')?.focus())
}
