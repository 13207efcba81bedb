import type { HeldEvent } from '../data/event-index.ts'
import { DialogButton } from '../components/dialog-button.tsx'
import { Icon } from '../components/icon.tsx'
import { allowOnce } from './actions.ts'
import { heldHost, mapHeldHost, mapTarget } from './map-target.ts'

/** Maps the host of a held webhook to a local address. Can also send the webhook to the real host, after a confirmation. */
export function MapHost({ event }: { readonly event: HeldEvent }) {
  const host = heldHost(event)
  return (
    <form
      class="map-host"
      onSubmit={(submitted) => {
        submitted.preventDefault()
        void mapHeldHost(event)
      }}
    >
      <div class="map-line">
        <code>{new URL(event.target).origin}</code>
        <Icon name="redirect" />
        <input
          type="text"
          inputMode="url"
          aria-label="Local address"
          autocomplete="off"
          spellcheck={false}
          required
          value={mapTarget.value}
          onInput={({ currentTarget }) => (mapTarget.value = currentTarget.value)}
        />
      </div>
      <div class="failure-actions">
        <button type="submit" class="primary" aria-keyshortcuts="m">
          Map this host
          <kbd aria-hidden="true">m</kbd>
        </button>
        <DialogButton title="Send to the real host once" class="link">
          {(close) => (
            <>
              <p>
                The webhook goes to {host} and is not signed. If {host} is a real shop, it takes this test
                payment for a real one.
              </p>
              <div class="actions">
                <button
                  type="button"
                  class="danger"
                  onClick={() => {
                    close()
                    void allowOnce(event.deliveryId)
                  }}
                >
                  Send to {host}
                </button>
                <button type="button" onClick={close}>
                  Cancel
                </button>
              </div>
            </>
          )}
        </DialogButton>
      </div>
    </form>
  )
}
