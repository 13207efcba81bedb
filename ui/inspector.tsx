import { AccountScreen } from './account/account-screen.tsx'
import { PaymentsScreen } from './payments/payments-screen.tsx'
import { route } from './route.ts'
import { ChangesDialog } from './details/changes-dialog.tsx'
import { FaultsScreen } from './faults/faults-screen.tsx'
import { MapsScreen } from './maps/maps-screen.tsx'
import { HelpDialog } from './shell/help-dialog.tsx'
import { Navigation } from './shell/navigation.tsx'
import { ToastRegion } from './shell/toast-region.tsx'
import { TopBar } from './shell/top-bar.tsx'
import { TimelineScreen } from './timeline/timeline-screen.tsx'

export function Inspector() {
  const { screen, id } = route.value
  return (
    <div class="inspector" data-detail={id !== undefined}>
      <TopBar />
      <Navigation />
      <main>
        {screen === 'timeline' && <TimelineScreen />}
        {screen === 'payments' && <PaymentsScreen />}
        {screen === 'faults' && <FaultsScreen />}
        {screen === 'maps' && <MapsScreen />}
        {screen === 'account' && <AccountScreen />}
      </main>
      <ToastRegion />
      <HelpDialog />
      <ChangesDialog />
    </div>
  )
}
