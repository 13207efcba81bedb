import { randomUUID } from 'node:crypto'
import type { CaseWebhook } from '../../app/webhooks/write-webhook.ts'

/** One of several runs of a case whose webhooks arrive together. */
export interface Participant {
  /** Resolves when all others have joined or left. `count` is the number of this participant's webhooks. */
  join(count: number): Promise<NonNullable<CaseWebhook['atOnce']>>
  /** Tells the others not to wait for this participant. */
  leave(): void
}

/**
 * Makes the webhooks of several orders arrive at the same moment, one participant after another. While an app is busy with the
 * others, two webhooks of one order queue up, and the app then reads them at the same moment. So even the shortest race occurs.
 */
export function createMeeting(participants: number): readonly Participant[] {
  const id = randomUUID()
  let missing = participants
  let total = 0
  let resolve: () => void
  const complete = new Promise<void>((done) => (resolve = done))
  return Array.from({ length: participants }, (_participant, place) => {
    let hasArrived = false
    function leave(): void {
      if (hasArrived) return
      hasArrived = true
      missing -= 1
      if (missing === 0) resolve()
    }
    return {
      leave,
      async join(count) {
        if (hasArrived) return { id: randomUUID(), count }
        total += count
        leave()
        await complete
        return { id, count: total, place }
      },
    }
  })
}
