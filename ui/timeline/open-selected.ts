import { selectedIndex, step } from './view.ts'

/** Goes on to read the selected event, or the newest where none is selected. */
export function openSelected(): void {
  if (selectedIndex.peek() === -1) step(1)
  // Once the details are there.
  requestAnimationFrame(() => document.getElementById('details')?.focus())
}
