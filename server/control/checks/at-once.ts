import { setTimeout as pause } from 'node:timers/promises'

/**
 * Each request connects a few milliseconds after the previous one, because many development servers accept only five or ten
 * connections at the same moment.
 */
const CONNECT_EVERY_MS = 3

/**
 * For how long requests wait for each other. A server that handles one connection after another waits for the end of the first
 * request, and the system makes a connection beyond its queue try again after one second and three seconds. All of them must get
 * through before the receiver's time limit.
 */
const ARRIVAL_TIMEOUT_MS = 1_500

/** One of several requests whose last bytes are sent at the same moment. */
interface Participant {
  /** Resolves when this request may connect, a moment after the previous request. */
  begin(): Promise<void>
  /** Resolves when all requests have arrived. */
  arrive(): Promise<void>
  /** Tells the other requests not to wait for this one. */
  leave(): void
}

/**
 * Lets several requests of a check end at the same moment. On a busy machine, some requests start late, and a receiver could
 * otherwise answer the first request before the second arrives.
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
    /** `count` is the number of requests with this id. Those with a lower `place` end first. */
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
