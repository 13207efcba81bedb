import { heldWebhookEvents } from './held-webhook-events.ts'
import { HeldWebhooks } from './held-webhooks.tsx'
import { MapList } from './map-list.tsx'
import { AllowedHosts } from './allowed-hosts.tsx'
import { Tunnels } from './tunnels.tsx'

/** Held webhooks, maps, tunnels and allowed hosts. Held webhooks come first if there are any. */
export function MapsScreen() {
  const isHeld = heldWebhookEvents.value.length > 0
  return (
    <div class="page">
      {isHeld && <HeldWebhooks />}
      <MapList />
      <Tunnels />
      {!isHeld && <HeldWebhooks />}
      <AllowedHosts />
    </div>
  )
}
