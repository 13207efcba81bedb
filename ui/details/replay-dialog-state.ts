import { signal } from '@preact/signals'

/** The delivery that the replay dialog shows, `undefined` while it is closed. */
export const replayedDelivery = signal<number | undefined>(undefined)

export const openReplayDialog = (deliveryId: number): void => void (replayedDelivery.value = deliveryId)

export const closeReplayDialog = (): void => void (replayedDelivery.value = undefined)
