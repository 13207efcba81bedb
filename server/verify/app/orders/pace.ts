import { setTimeout as pause } from 'node:timers/promises'
import type { HttpResponse } from '../../../domain/http/http-fetch.ts'
import { RATE_LIMIT_PATIENCE_MS } from '../run/time-limit.ts'

type Answer = Pick<HttpResponse, 'status' | 'headerLines'>

/** Longer than the time that an app asks for, because its clock may be a little behind. */
const MARGIN_MS = 50

/** The time in a `Retry-After` header. `undefined` if there is none, or if it is a date. */
export const waitMsOf = (retryAfter = ''): number | undefined =>
  /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter) * 1_000, RATE_LIMIT_PATIENCE_MS) : undefined

/** The time in the `Retry-After` of an answer. */
export const retryAfterMs = ({ headerLines }: Pick<Answer, 'headerLines'>): number | undefined =>
  waitMsOf(/^retry-after: *(\d+) *$/im.exec(headerLines)?.[1])

/**
 * Sends requests as quickly as an app allows. Once it has refused one because of their number, with 429 and `Retry-After`, all requests wait
 * in one line, each for the answer of the one before. Many apps also count the refused ones, and would refuse all of them if each tried
 * again by itself.
 */
export function createPace(signal: AbortSignal | undefined) {
  let isLimited = false
  let freeAt = 0
  let line: Promise<unknown> = Promise.resolve()
  /** When the app accepted a request last, according to `performance.now()`. */
  let acceptedAt = 0
  let refused = 0
  let waitedMs = 0

  async function waitForTurn(): Promise<void> {
    const ms = freeAt - performance.now()
    if (ms <= 0) return
    waitedMs += ms
    await pause(ms, undefined, { signal })
  }

  async function sendNow<One extends Answer>(request: () => Promise<One>): Promise<One> {
    const answer = await request()
    if (answer.status !== 429) {
      acceptedAt = performance.now()
      return answer
    }
    refused += 1
    const ms = retryAfterMs(answer)
    if (ms === undefined) return answer
    isLimited = true
    freeAt = Math.max(freeAt, performance.now() + ms + MARGIN_MS)
    return answer
  }

  return {
    /** Sends a request, after the others if the app limits their number. */
    async send<One extends Answer>(request: () => Promise<One>): Promise<One> {
      if (!isLimited) return sendNow(request)
      const turn = line.then(waitForTurn).then(() => sendNow(request))
      line = turn.catch(() => undefined)
      return turn
    },
    isLimited: (): boolean => isLimited,
    /** Whether the app has accepted no request for a long time, also counted from the first try of a request. */
    isHopeless: (since: number): boolean =>
      performance.now() > Math.max(since, acceptedAt) + RATE_LIMIT_PATIENCE_MS,
    /** How many requests were refused, and how long the others had to wait for that together. */
    counts: () => ({ refused, waitedMs }),
  }
}
