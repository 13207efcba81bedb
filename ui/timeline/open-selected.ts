import { selectedIndex, step } from '../search/view.ts'

/** Focuses the details of the selected event, or else of the newest one. */
export function openSelected(): void {
  if (selectedIndex.peek() === -1) step(1)
  // The details are rendered first.
  requestAnimationFrame(() => document.getElementById('details')?.focus())
}
