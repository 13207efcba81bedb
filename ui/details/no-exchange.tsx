import { loadedEvent } from './selected-event.ts'

/** Shown instead of a request or a response that is missing, or still loading. */
export function NoExchange() {
  switch (loadedEvent.value.state) {
    case 'loading':
      return <p class="muted delayed">Loading…</p>
    case 'failed':
      return <p class="error">{loadedEvent.value.reason}</p>
    case 'loaded':
      return <p class="muted">No bytes are available for this event.</p>
  }
}
