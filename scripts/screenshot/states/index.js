import { eventStates } from './events.js'
import { pageStates } from './pages.js'
import { paymentStates } from './payments.js'
import { replayStates } from './replay.js'
import { sandboxStates } from './sandbox.js'
import { settingStates } from './settings.js'
import { shellStates } from './shell.js'
import { timelineStates } from './timeline.js'

/** @type {readonly import('../state.js').State[]} */
export const states = [
  ...timelineStates,
  ...eventStates,
  ...replayStates,
  ...paymentStates,
  ...settingStates,
  ...sandboxStates,
  ...shellStates,
  ...pageStates,
]
