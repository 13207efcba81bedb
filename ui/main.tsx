import { render } from 'preact'
import { listenForHotkeys } from './hotkeys.ts'
import { importDroppedFile } from './import-dropped-file.ts'
import { Inspector } from './inspector.tsx'
import { updateTitleAndIcon } from './title-and-icon.ts'
import { closeOnNewEpoch, closeCleared } from './close-cleared.ts'
import { preloadRest } from './shell/lazy.tsx'
import { applyTheme } from './theme.ts'

applyTheme()
updateTitleAndIcon()
closeOnNewEpoch()
closeCleared()
listenForHotkeys()
importDroppedFile()
render(<Inspector />, document.getElementById('inspector')!)
setTimeout(() => void preloadRest(), 1_000)
