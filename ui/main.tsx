import { render } from 'preact'
import { listenForHotkeys } from './shell/hotkeys.ts'
import { importDroppedFile } from './shell/import-dropped-file.ts'
import { Inspector } from './inspector.tsx'
import { updateTitleAndIcon } from './shell/title-and-icon.ts'
import { closeOnNewEpoch, closeCleared } from './shell/close-cleared.ts'
import { preloadRest } from './components/lazy.tsx'
import { applyTheme } from './browser/theme.ts'
import { surviveTranslation } from './browser/translation.ts'

applyTheme()
surviveTranslation()
updateTitleAndIcon()
closeOnNewEpoch()
closeCleared()
listenForHotkeys()
importDroppedFile()
render(<Inspector />, document.getElementById('inspector')!)
setTimeout(() => void preloadRest(), 1_000)
