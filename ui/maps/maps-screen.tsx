import { HeldWebhooks } from './held-webhooks.tsx'
import { MapList } from './map-list.tsx'
import { Outlets } from './outlets.tsx'
import { Tunnels } from './tunnels.tsx'

/** Where webhooks go: what leads them elsewhere, what captures them, what holds them back, and where they may leave to. */
export const MapsScreen = () => (
  <div class="page">
    <MapList />
    <Tunnels />
    <HeldWebhooks />
    <Outlets />
  </div>
)
