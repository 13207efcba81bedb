import type * as pendingRequests from '../../store/repositories/pending-requests.ts'

/** The limits for unanswered requests: how many, how many bytes, and how many for each path. */
const MAX_IN_FLIGHT = 64
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024
/** Lower than the limit for all paths together, so that a slow path does not block the others. */
const MAX_IN_FLIGHT_PER_PATH = 8

export type PendingRequest = Awaited<ReturnType<typeof pendingRequests.list>>[number]

/** A request that was sent but is not answered yet. */
export interface SentRequest {
  readonly id: string
  readonly epoch: string
  readonly seq: number
  readonly possibleDuplicate: boolean
  /** When the request was sent, according to `performance.now()`. */
  readonly sentAt: number
}

interface InFlight extends SentRequest {
  readonly path: string
  readonly size: number
}

interface PathQueue {
  pending: PendingRequest[]
  inFlight: number
}

/**
 * The requests of one listener: a queue for each path that has requests to send, and the requests that were sent but are not
 * answered.
 */
export function createRequestQueues() {
  const queues = new Map<string, PathQueue>()
  const inFlight = new Map<string, InFlight>()
  let bytesInFlight = 0

  function end(path: string): void {
    queues.get(path)!.inFlight -= 1
    deleteIfEmpty(path)
  }

  function deleteIfEmpty(path: string): void {
    const queue = queues.get(path)
    if (queue && queue.inFlight === 0 && queue.pending.length === 0) queues.delete(path)
  }

  return {
    add(request: PendingRequest): void {
      const queue = queues.get(request.path) ?? { pending: [], inFlight: 0 }
      queues.set(request.path, queue)
      queue.pending.push(request)
    },
    /** The oldest request within the limits. */
    next(): PendingRequest | undefined {
      if (inFlight.size >= MAX_IN_FLIGHT) return undefined
      let oldest: PendingRequest | undefined
      for (const queue of queues.values()) {
        const first = queue.pending[0]
        if (
          first &&
          queue.inFlight < MAX_IN_FLIGHT_PER_PATH &&
          (oldest === undefined || first.seq < oldest.seq)
        ) {
          oldest = first
        }
      }
      const fits = oldest && (inFlight.size === 0 || bytesInFlight + oldest.size <= MAX_BYTES_IN_FLIGHT)
      return fits ? oldest : undefined
    },
    /** Removes the first request of a path from its queue. It now counts as in flight. */
    begin(path: string): void {
      const queue = queues.get(path)!
      queue.pending.shift()
      queue.inFlight += 1
    },
    /** Removes a request that has left its queue but will not be sent. */
    giveUp: end,
    markSent({ path, size }: PendingRequest, sent: SentRequest): void {
      inFlight.set(sent.id, { ...sent, path, size })
      bytesInFlight += size
    },
    isInFlight: (id: string): boolean => inFlight.has(id),
    /** Returns a request that was answered, and removes it. `undefined` if it is not in flight. */
    takeAnswered(id: string): SentRequest | undefined {
      const sent = inFlight.get(id)
      if (!sent) return undefined
      inFlight.delete(id)
      bytesInFlight -= sent.size
      end(sent.path)
      return sent
    },
    /** Removes the requests that are not sent yet. */
    clear(): void {
      for (const [path, queue] of queues) {
        queue.pending = []
        deleteIfEmpty(path)
      }
    },
  }
}
