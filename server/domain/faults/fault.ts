import type { Instant } from '../time/berlin-time.ts'

/** A point where a fault can apply: a call of the v2 API, a webhook, or the redirect. */
export const faultPoints = ['api', 'webhook', 'redirect'] as const

export type FaultPoint = (typeof faultPoints)[number]

/** A failure that the developer requested. */
export interface Fault {
  readonly id: number
  readonly on: FaultPoint
  /** The account to whose calls and notifications it applies, or `null` for all accounts. */
  readonly accountId: string | null
  /** The operation to whose calls it applies, or `null` for all operations. */
  readonly operation: string | null
  /** It applies to webhooks whose target begins with this text, or to all if `null`. */
  readonly target: string | null
  /** The steps of the script, one for each call, webhook or redirect. `fault-effect.ts` parses them. */
  readonly script: readonly string[]
  /** How often the script runs, or `null` if it repeats until the fault is removed. */
  readonly times: number | null
  /** The probability that it applies, up to 1. */
  readonly probability: number
  /** The seed of the random numbers. The same seed gives the same sequence of failures. */
  readonly seed: number
  /** How many calls, webhooks or redirects it applied to. */
  readonly matched: number
  /** How many of them the fault changed. */
  readonly triggered: number
  readonly createdAt: Instant
}

/** The effect of a fault on the subject of an event. */
export interface FaultMark {
  /** The id of the fault, or `null` if the user requested this effect for one request. */
  readonly id: number | null
  readonly effect: string
}

/** Marks content that the sandbox made up and that the service never sends. */
export const createForgedMark = (forgery: string): FaultMark => ({ id: null, effect: `forged:${forgery}` })

/** Whether a webhook says what the service never sent: it is forged by hand, or replays a webhook with other bytes. */
export const isForged = (mark: FaultMark | null | undefined): boolean =>
  mark?.effect.startsWith('forged:') ?? false

/** A call, a delivery attempt or a redirect to which a fault may apply. */
export interface FaultCandidate {
  readonly on: FaultPoint
  readonly accountId: string | null
  readonly operation?: string
  /** Lists all spellings of the target. Usually no fault asks for them. */
  readonly targets?: () => readonly string[]
}

/** Whether the filters of a fault match a candidate. */
export const isFaultFor = (
  fault: Fault,
  { on, accountId, operation, targets = () => [] }: FaultCandidate,
): boolean =>
  fault.on === on &&
  (fault.accountId === null || fault.accountId === accountId) &&
  (fault.operation === null || fault.operation === operation) &&
  (fault.target === null || targets().some((target) => target.startsWith(fault.target!)))

/** How often the fault still applies, or `null` without a limit. */
export const remainingUses = ({ script, times, triggered }: Fault): number | null =>
  times === null ? null : Math.max(0, script.length * times - triggered)

/** Applies a fault to a matching candidate. Returns the updated fault, and the effect if there is one. */
export function evaluateFault(fault: Fault): { readonly fault: Fault; readonly effect: string | null } {
  const counted: Fault = { ...fault, matched: fault.matched + 1 }
  if (remainingUses(fault) === 0) return { fault, effect: null }
  if (fault.probability < 1 && drawRandom(fault.seed, fault.matched) >= fault.probability) {
    return { fault: counted, effect: null }
  }
  return {
    fault: { ...counted, triggered: fault.triggered + 1 },
    effect: fault.script[fault.triggered % fault.script.length] ?? null,
  }
}

/**
 * The random number at index `number` for a seed, at least 0 and below 1. Runs one round of the generator mulberry32.
 */
function drawRandom(seed: number, number: number): number {
  let mixed = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
