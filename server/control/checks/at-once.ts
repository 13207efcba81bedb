import { setTimeout as pause } from 'node:timers/promises'

/** Many servers of development accept only five or ten connections at the same moment. */
const CONNECT_EVERY_MS = 3

/** Less than the time that a receiver has to answer. */
const ARRIVAL_TIMEOUT_MS = 5_000

/** One of several requests that end at the same time. */
interface Participant {
  /** Resolves when this request may connect, a moment after the one before it. */
  begin(): Promise<void>
  /** Resolves when all have arrived. */
  arrive(): Promise<void>
  /** The other requests stop waiting for this one. */
  leave(): void
}

/**
 * Lets several requests of a check end at the same time, however long each takes to start on a busy machine. Otherwise a receiver
 * could answer the first request before the second arrives.
 */
export function createAtOnce() {
  const groups = new Map<string, Group>()

  function openGroup(id: string, count: number): Group {
    const timer = setTimeout(() => complete(group), ARRIVAL_TIMEOUT_MS)
    const group: Group = {
      left: count,
      waiting: [],
      isComplete: false,
      connectAt: 0,
      end() {
        clearTimeout(timer)
        groups.delete(id)
      },
    }
    groups.set(id, group)
    return group
  }

  return {
    /** `count` is the number of requests with this id. Requests with a lower `place` end first. */
    join({
      id,
      count,
      place,
    }: {
      readonly id: string
      readonly count: number
      readonly place: number
    }): Participant {
      const group = groups.get(id) ?? openGroup(id, count)
      let hasArrived = false
      function leave(): void {
        if (hasArrived) return
        hasArrived = true
        group.left -= 1
        if (group.left === 0) complete(group)
      }
      return {
        leave,
        async begin() {
          const now = performance.now()
          const at = Math.max(now, group.connectAt)
          group.connectAt = at + CONNECT_EVERY_MS
          if (at > now) await pause(at - now)
        },
        async arrive() {
          const completed = group.isComplete
            ? undefined
            : new Promise<void>((resolve) => group.waiting.push({ place, resolve }))
          leave()
          await completed
        },
      }
    },
  }
}

interface Group {
  left: number
  readonly waiting: { readonly place: number; readonly resolve: () => void }[]
  isComplete: boolean
  /** When the next request may connect. */
  connectAt: number
  readonly end: () => void
}

function complete(group: Group): void {
  group.isComplete = true
  group.end()
  for (const { resolve } of group.waiting.toSorted((one, other) => one.place - other.place)) resolve()
}
