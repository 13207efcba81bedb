import { route } from './browser/route.ts'
import { lazy } from './components/lazy.tsx'

export const CompareScreen = lazy(async () => (await import('./compare/compare-screen.tsx')).CompareScreen)
const ReviewScreen = lazy(async () => (await import('./payments/review/review-screen.tsx')).ReviewScreen)
const SandboxScreen = lazy(async () => (await import('./sandbox/sandbox-screen.tsx')).SandboxScreen)
const TestScreen = lazy(async () => (await import('./test-screen/test-screen.tsx')).TestScreen)
const ConnectScreen = lazy(async () => (await import('./connect/connect-screen.tsx')).ConnectScreen)
const NewLinkDialog = lazy(
  async () => (await import('./new-link/new-link-dialog.tsx')).NewLinkDialog,
  'empty',
)
const Palette = lazy(async () => (await import('./shell/palette.tsx')).Palette, 'empty')

/** The open screen, if it is missing in reports. */
export function LiveScreen() {
  const { screen, tab } = route.value
  return (
    <>
      {tab === 'review' && <ReviewScreen />}
      {screen === 'test' && <TestScreen tab={tab} />}
      {screen === 'connect' && <ConnectScreen tab={tab} />}
      {screen === 'sandbox' && <SandboxScreen />}
    </>
  )
}

/** The dialogs that open above any screen. */
export const LiveDialogs = () => (
  <>
    <NewLinkDialog />
    <Palette />
  </>
)
