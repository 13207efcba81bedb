import { render } from 'preact'
import { listenForHotkeys } from './shell/hotkeys.ts'
import { Inspector } from './inspector.tsx'
import { ReportNote } from './shell/report-note.tsx'
import { applyTheme } from './browser/theme.ts'
import { surviveTranslation } from './browser/translation.ts'

applyTheme()
surviveTranslation()
listenForHotkeys()
render(<Inspector note={<ReportNote />} />, document.getElementById('inspector')!)
