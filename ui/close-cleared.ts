import { effect } from '@preact/signals'
import { closeReplayDialog } from './details/replay-dialog-state.ts'
import { selectedEvent } from './details/selected-event.ts'
import { isCleared } from './log.ts'
import { expectedPayId } from './new-link/dialog-state.ts'
import { navigate, route } from './route.ts'
import { log } from './session.ts'
import { following, pausedAt } from './timeline/view.ts'

/** After a reset the numbers begin again, and what was selected would be something else. */
export function closeOnNewEpoch(): void {
  let generation = log.journal.peek().generation
  effect(() => {
    const { generation: now } = log.journal.value
    if (now === generation) return
    generation = now
    pausedAt.value = undefined
    following.value = true
    closeReplayDialog()
    expectedPayId.value = undefined
    if (route.peek().id !== undefined) navigate({ id: undefined }, 'replace')
  })
}

/** What was selected may have gone with its account, and its number be something else's soon. */
export function closeCleared(): void {
  let { clearedBefore } = log.journal.peek()
  let shown: number | undefined
  effect(() => {
    const { clearedBefore: now, eventIndex } = log.journal.value
    const { screen, id } = route.value
    const isThere = screen === 'payments' && id !== undefined && eventIndex.payments.has(id)
    const wasShown = id !== undefined && shown === id
    shown = isThere ? id : undefined
    if (now === clearedBefore) return
    clearedBefore = now

    const event = selectedEvent.peek()
    const isGone = screen === 'payments' ? wasShown && !isThere : event !== undefined && isCleared(event, now)
    if (!isGone) return
    closeReplayDialog()
    navigate({ id: undefined }, 'replace')
  })
}
