import './payments/current-event.ts'
import { route } from './browser/route.ts'
import { firstTab } from './browser/screens.ts'
import { lazy } from './components/lazy.tsx'
import { Navigation } from './shell/navigation.tsx'
import { ToastRegion } from './shell/toast-region.tsx'
import { TopBar } from './shell/top-bar.tsx'
import { TimelineScreen } from './timeline/timeline-screen.tsx'

const ReviewScreen = lazy(async () => (await import('./review/review-screen.tsx')).ReviewScreen)
const OverviewScreen = lazy(async () => (await import('./overview/overview-screen.tsx')).OverviewScreen)
const CompareScreen = lazy(async () => (await import('./compare/compare-screen.tsx')).CompareScreen)
const HelpDialog = lazy(async () => (await import('./shell/help-dialog.tsx')).HelpDialog, 'empty')
const SandboxScreen = lazy(async () => (await import('./sandbox/sandbox-screen.tsx')).SandboxScreen)
const TestScreen = lazy(async () => (await import('./test/test-screen.tsx')).TestScreen)
const ConnectScreen = lazy(async () => (await import('./connect/connect-screen.tsx')).ConnectScreen)
const ScreenHead = lazy(async () => (await import('./shell/screen-head.tsx')).ScreenHead, 'empty')
const PaymentsScreen = lazy(async () => (await import('./payments/payments-screen.tsx')).PaymentsScreen)
const NewLinkDialog = lazy(
  async () => (await import('./new-link/new-link-dialog.tsx')).NewLinkDialog,
  'empty',
)
const Palette = lazy(async () => (await import('./shell/palette.tsx')).Palette, 'empty')

export function Inspector() {
  const { screen, tab, id, other } = route.value
  return (
    <div class="inspector" data-detail={id !== undefined && other === undefined}>
      <TopBar />
      <Navigation />
      {/* The key makes each screen start at the top. */}
      <main key={`${screen}/${tab}`}>
        <ScreenHead />
        {screen === 'overview' && <OverviewScreen />}
        {screen === 'timeline' && (CAN_ACT && other !== undefined ? <CompareScreen /> : <TimelineScreen />)}
        {screen === 'payments' && tab === firstTab(screen) && <PaymentsScreen />}
        {CAN_ACT && tab === 'review' && <ReviewScreen />}
        {CAN_ACT && screen === 'test' && <TestScreen tab={tab} />}
        {CAN_ACT && screen === 'connect' && <ConnectScreen tab={tab} />}
        {CAN_ACT && screen === 'sandbox' && <SandboxScreen />}
      </main>
      <ToastRegion />
      <HelpDialog />
      {CAN_ACT && <NewLinkDialog />}
      {CAN_ACT && <Palette />}
    </div>
  )
}
