import { signal } from '@preact/signals'

/** The delivery that is being replayed with changes. */
export const replayedDelivery = signal<number | undefined>(undefined)

export const openReplayDialog = (deliveryId: number): void => void (replayedDelivery.value = deliveryId)

export const closeReplayDialog = (): void => void (replayedDelivery.value = undefined)
