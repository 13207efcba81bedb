import { AccountScreen } from './accounts/account-screen.tsx'
import type { Tab } from '../browser/screens.ts'
import { AllowedHostList } from './maps/allowed-hosts.tsx'
import { HeldWebhooks } from './maps/held-webhooks.tsx'
import { MapList } from './maps/map-list.tsx'
import { TunnelList } from './maps/tunnels.tsx'

/** What connects an app to the sandbox: accounts with their keys, maps, tunnels and held webhooks. */
export function ConnectScreen({ tab }: { readonly tab: Tab | undefined }) {
  if (tab === 'accounts') return <AccountScreen />
  return (
    <div class="page">
      {tab === 'tunnels' && <TunnelList />}
      {tab === 'maps' && <MapList />}
      {tab === 'held-webhooks' && (
        <>
          <HeldWebhooks />
          <AllowedHostList />
        </>
      )}
    </div>
  )
}
