import type { Recorded } from '../domain/events.ts'

type Listener = (events: readonly Recorded[]) => void

/** Tells listeners in this process what has just become durable, in order. */
export class Feed {
  readonly #listeners = new Set<Listener>()

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  publish(events: readonly Recorded[]): void {
    for (const listener of this.#listeners) listener(events)
  }
}
