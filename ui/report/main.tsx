import { render } from 'preact'
import { listenForHotkeys } from '../hotkeys.ts'
import { Inspector } from '../inspector.tsx'
import { applyTheme } from '../theme.ts'

applyTheme()
listenForHotkeys()
render(<Inspector />, document.getElementById('inspector')!)
