import { effect } from '@preact/signals'
import { closeChanges } from './details/replay-dialog-state.ts'
import { selectedEvent } from './details/selected-event.ts'
import { isSwept } from './log.ts'
import { expectedPayId } from './new-link/dialog-state.ts'
import { navigate, route } from './route.ts'
import { log } from './session.ts'
import { following, heldAt } from './timeline/view.ts'

/** After a reset the numbers begin again, and what was selected would be something else. */
export function leaveOnReset(): void {
  let generation = log.journal.peek().generation
  effect(() => {
    const { generation: now } = log.journal.value
    if (now === generation) return
    generation = now
    heldAt.value = undefined
    following.value = true
    closeChanges()
    expectedPayId.value = undefined
    if (route.peek().id !== undefined) navigate({ id: undefined }, 'replace')
  })
}

/** What was selected may have gone with its account, and its number be something else's soon. */
export function leaveOnSweep(): void {
  let { swept } = log.journal.peek()
  let shown: number | undefined
  effect(() => {
    const { swept: now, ledger } = log.journal.value
    const { screen, id } = route.value
    const isThere = screen === 'payments' && id !== undefined && ledger.payments.has(id)
    const wasShown = id !== undefined && shown === id
    shown = isThere ? id : undefined
    if (now === swept) return
    swept = now

    const event = selectedEvent.peek()
    const isGone = screen === 'payments' ? wasShown && !isThere : event !== undefined && isSwept(event, now)
    if (!isGone) return
    closeChanges()
    navigate({ id: undefined }, 'replace')
  })
}
