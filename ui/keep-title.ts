import { effect, signal } from '@preact/signals'
import { log } from './session.ts'

/** Counts in the title what happened while nobody looked: `(3) Inspector`. What was there before is no news. */
export function keepTitle(): void {
  const isHidden = signal(document.hidden)
  document.addEventListener('visibilitychange', () => (isHidden.value = document.hidden))

  let seen = 0
  let caughtUpWith = -1
  effect(() => {
    const { entries, dropped, generation, last, head } = log.journal.value
    const isHistory = caughtUpWith !== generation
    if (head > 0 && last >= head) caughtUpWith = generation

    const total = entries.length + dropped
    if (!isHidden.value || isHistory) seen = total
    document.title = total > seen ? `(${total - seen}) Inspector` : 'Inspector'
  })
}
