import './payments/current-event.ts'
import type { ComponentChildren } from 'preact'
import { route } from './browser/route.ts'
import { firstTab } from './browser/screens.ts'
import { lazy } from './components/lazy.tsx'
import { CompareScreen, LiveDialogs, LiveScreen } from './live-screens.live.tsx'
import { Navigation } from './shell/navigation.tsx'
import { ToastRegion } from './shell/toast-region.tsx'
import { TopBar } from './shell/top-bar.tsx'
import { TimelineScreen } from './timeline/timeline-screen.tsx'

const OverviewScreen = lazy(async () => (await import('./overview/overview-screen.tsx')).OverviewScreen)
const HelpDialog = lazy(async () => (await import('./shell/help-dialog.tsx')).HelpDialog, 'empty')
const ScreenHead = lazy(async () => (await import('./shell/screen-head.tsx')).ScreenHead, 'empty')
const PaymentsScreen = lazy(async () => {
  const screen = await import('./payments/payments-screen.tsx')
  await screen.loadJourney()
  return screen.PaymentsScreen
})

/** `note` says where the data comes from, if not from a running sandbox. */
export function Inspector({ note }: { readonly note?: ComponentChildren }) {
  const { screen, tab, id, other } = route.value
  return (
    <div class="inspector" data-detail={id !== undefined && other === undefined}>
      <TopBar note={note} />
      <Navigation />
      {/* The key makes each screen start at the top. */}
      <main key={`${screen}/${tab}`}>
        <ScreenHead />
        {screen === 'overview' && <OverviewScreen />}
        {screen === 'timeline' && (other === undefined ? <TimelineScreen /> : <CompareScreen />)}
        {screen === 'payments' && tab === firstTab(screen) && <PaymentsScreen />}
        <LiveScreen />
      </main>
      <ToastRegion />
      <HelpDialog />
      <LiveDialogs />
    </div>
  )
}
