import { effect } from '@preact/signals'
import { closeChanges } from './details/changes.ts'
import { expectedPayId } from './new-link/open.ts'
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
