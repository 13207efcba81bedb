import { HeldWebhooks } from './held-webhooks.tsx'
import { Outlets } from './outlets.tsx'
import { Tunnels } from './tunnels.tsx'

/** Where webhooks go: what captures them, what holds them back, and where they may leave to. */
export const MapsScreen = () => (
  <div class="page">
    <Tunnels />
    <HeldWebhooks />
    <Outlets />
  </div>
)
