import { selected } from './selected-event.ts'

/** Stands in for a request or a response that is not here, or not yet. */
export function NoExchange() {
  switch (selected.value.state) {
    case 'loading':
      return <p class="muted late">Loading…</p>
    case 'failed':
      return <p class="muted">{selected.value.reason}</p>
    case 'loaded':
      return <p class="muted">No bytes {CAN_ACT ? 'were recorded for' : 'are here of'} this event.</p>
  }
}
