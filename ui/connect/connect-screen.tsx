import { AccountScreen } from '../account/account-screen.tsx'
import type { Tab } from '../browser/screens.ts'
import { AllowedHosts } from '../maps/allowed-hosts.tsx'
import { HeldWebhooks } from '../maps/held-webhooks.tsx'
import { MapList } from '../maps/map-list.tsx'
import { Tunnels } from '../maps/tunnels.tsx'

/** What connects an app to the sandbox: accounts with their keys, and the ways of webhooks. */
export function ConnectScreen({ tab }: { readonly tab: Tab | undefined }) {
  if (tab === 'accounts') return <AccountScreen />
  return (
    <div class="page">
      {tab === 'tunnels' && <Tunnels />}
      {tab === 'maps' && <MapList />}
      {tab === 'held-webhooks' && (
        <>
          <HeldWebhooks />
          <AllowedHosts />
        </>
      )}
    </div>
  )
}
