import type { RecordedEvent } from '../../domain/events/event.ts'

type EventListener = (events: readonly RecordedEvent[]) => void

/** Publishes events within this process, in sequence, once they are durable. */
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

  /** Calls every listener, even if another one fails, and reports errors. Never throws. */
  publish(events: readonly RecordedEvent[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(events)
      } catch (error) {
        // Called later, because `onError` may throw as well.
        queueMicrotask(() => this.#onError(error))
      }
    }
  }
}
