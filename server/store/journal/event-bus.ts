import type { RecordedEvent } from '../../domain/events/event.ts'

type EventListener = (events: readonly RecordedEvent[]) => void

/** Tells listeners in this process what has just become durable, in order. */
export class EventBus {
  readonly #listeners = new Set<EventListener>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A listener that fails is reported, and keeps nothing from the others or from who publishes. */
  publish(events: readonly RecordedEvent[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(events)
      } catch (error) {
        // Later, as what reports may throw as well.
        queueMicrotask(() => this.#onError(error))
      }
    }
  }
}
