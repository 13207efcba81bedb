import { signal } from '@preact/signals'

/** The delivery that is being replayed with changes. */
export const changing = signal<number | undefined>(undefined)

export const openChanges = (deliveryId: number): void => void (changing.value = deliveryId)

export const closeChanges = (): void => void (changing.value = undefined)
