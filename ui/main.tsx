import { render } from 'preact'
import { listenForHotkeys } from './hotkeys.ts'
import { Inspector } from './inspector.tsx'
import { keepTitle } from './title-and-icon.ts'
import { leaveOnReset, leaveOnSweep } from './close-cleared.ts'
import { loadTheRest } from './shell/lazy.tsx'
import { applyTheme } from './theme.ts'

applyTheme()
keepTitle()
leaveOnReset()
leaveOnSweep()
listenForHotkeys()
render(<Inspector />, document.getElementById('inspector')!)
setTimeout(() => void loadTheRest(), 1_000)
