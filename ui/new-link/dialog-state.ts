import { signal } from '@preact/signals'

export const isDialogOpen = signal(false)

/** The payment that this page has just created. Cleared when its event arrives. */
export const expectedPayId = signal<number | undefined>(undefined)

export function openNewLink(): void {
  isDialogOpen.value = true
}
