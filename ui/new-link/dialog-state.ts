import { signal } from '@preact/signals'

export const isDialogOpen = signal(false)

/** A payment that was just made here, and that the journal has not told of yet. */
export const expectedPayId = signal<number | undefined>(undefined)

export function openNewLink(): void {
  isDialogOpen.value = true
}
