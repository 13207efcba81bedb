import { effect } from '@preact/signals'
import { selectedEvent } from '../details/selected-event.ts'
import { isCleared } from '../data/log.ts'
import { expectedPayId } from '../new-link/dialog-state.ts'
import { showToast } from '../browser/toasts.ts'
import { discardReplayState, hasUnsentChanges } from '../replay/replay-state.ts'
import { navigate, route } from '../browser/route.ts'
import { log } from '../data/session.ts'
import { isFollowing, pausedAt, unfoldedChecks } from '../search/view.ts'

/** Closes the open event or payment, and the editor of a webhook, and says why. */
function closeOpen(reason: string): void {
  const { screen, id } = route.peek()
  const lost = hasUnsentChanges()
    ? 'Your unsent changes of a webhook are gone.'
    : id !== undefined && `The ${screen === 'payments' ? 'payment' : 'event'} that was open is gone.`
  if (lost) showToast({ tone: 'warn', text: `${reason}. ${lost}` })
  discardReplayState()
  if (id !== undefined) navigate({ id: undefined, other: undefined }, 'replace')
}

/** Clears the selection in a new epoch, because the same number is another event there. */
export function closeOnNewEpoch(): void {
  let epochCount = log.journal.peek().epochCount
  effect(() => {
    const { epochCount: current } = log.journal.value
    if (current === epochCount) return
    epochCount = current
    pausedAt.value = undefined
    isFollowing.value = true
    unfoldedChecks.value = new Set()
    expectedPayId.value = undefined
    closeOpen('The sandbox was reset or restored')
  })
}

/** Clears the selection if its account was reset or deleted, because its number may soon belong to something else. */
export function closeCleared(): void {
  let { clearedBefore } = log.journal.peek()
  let shownPayId: number | undefined
  effect(() => {
    const { clearedBefore: current, eventIndex } = log.journal.value
    const { screen, id } = route.value
    const isShown = screen === 'payments' && id !== undefined && eventIndex.payments.has(id)
    const wasShown = id !== undefined && shownPayId === id
    shownPayId = isShown ? id : undefined
    if (current === clearedBefore) return
    clearedBefore = current

    const event = selectedEvent.peek()
    const isGone =
      screen === 'payments' ? wasShown && !isShown : event !== undefined && isCleared(event, current)
    if (isGone) closeOpen('The account was reset or deleted')
  })
}
