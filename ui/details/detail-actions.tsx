import type { ShownEvent } from '../../server/control/present.ts'
import { log } from '../session.ts'
import { copyAsCurl, copyLink, release, replay, replayable } from './actions.ts'
import { selectedExchange } from './selected.ts'

export function DetailActions({ event }: { readonly event: ShownEvent }) {
  const deliveryId = replayable(event)
  const history = deliveryId === undefined ? [] : log.journal.value.ledger.historyOf(deliveryId)
  const isHeld = history.at(-1)?.type === 'delivery.held'

  return (
    <div class="actions">
      {deliveryId !== undefined && isHeld && (
        <button type="button" class="primary" onClick={() => release(deliveryId)}>
          Release
        </button>
      )}
      {deliveryId !== undefined && (
        <button type="button" class={isHeld ? '' : 'primary'} aria-keyshortcuts="r" onClick={replay}>
          Replay
          <kbd aria-hidden="true">r</kbd>
        </button>
      )}
      {selectedExchange.value && (
        <button type="button" aria-keyshortcuts="c" onClick={copyAsCurl}>
          Copy as cURL
          <kbd aria-hidden="true">c</kbd>
        </button>
      )}
      <button type="button" onClick={copyLink}>
        Copy link
      </button>
    </div>
  )
}
