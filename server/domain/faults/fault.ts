import type { Instant } from '../time/berlin-time.ts'

/** What a fault can affect: a call of the v2 API, a webhook, or the redirect. */
export const faultPoints = ['api', 'webhook', 'redirect'] as const

export type FaultPoint = (typeof faultPoints)[number]

/** A failure that a developer injects. */
export interface Fault {
  readonly id: number
  readonly on: FaultPoint
  /** The account whose calls and notifications the fault affects. `null` for all accounts. */
  readonly accountId: string | null
  /** The operation whose calls the fault affects. `null` for all operations. */
  readonly operation: string | null
  /** What targets must start with for the fault to affect their webhooks. `null` for all targets. */
  readonly target: string | null
  /** The steps of the script, one for each call, webhook or redirect. Parsed by `fault-effect.ts`. */
  readonly script: readonly string[]
  /** The number of times that the script runs. `null` if it repeats until the fault is removed. */
  readonly times: number | null
  /** The probability of each step, at most 1. */
  readonly probability: number
  /** The seed of the random numbers. With the same seed, the same steps have an effect. */
  readonly seed: number
  /** The number of calls, webhooks or redirects that the fault matched. */
  readonly matched: number
  /** How often the fault has changed one of them. */
  readonly triggered: number
  readonly createdAt: Instant
}

/** Which fault affected an event, and how. */
export interface FaultMark {
  /** The id of the fault. `null` if the user requested the effect for this request only. */
  readonly id: number | null
  readonly effect: string
}

/** The name of an effect without its parameter: `status` for `status:Success`. */
export const effectName = (effect: string): string => effect.split(':', 1)[0]!

/** Marks content that the sandbox made up and the service would never send. */
export const createForgedMark = (forgery: string): FaultMark => ({ id: null, effect: `forged:${forgery}` })

/** Whether the service never sent such a webhook: it is forged, or a replay with changed bytes. */
export const isForged = (mark: FaultMark | null | undefined): boolean =>
  mark?.effect.startsWith('forged:') ?? false

/** A call, a delivery attempt or a redirect that a fault may apply to. */
export interface FaultCandidate {
  readonly on: FaultPoint
  readonly accountId: string | null
  readonly operation?: string
  /** Lists all spellings of the target. A function, because usually no fault needs them. */
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

/** How many more times the fault applies. `null` if there is no limit. */
export const remainingUses = ({ script, times, triggered }: Fault): number | null =>
  times === null ? null : Math.max(0, script.length * times - triggered)

/** Applies a fault to a candidate that it matches. Returns the changed fault, and the effect if there is one. */
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

/** The random number with this index in the sequence of a seed, from 0 to below 1. One round of the generator mulberry32. */
function drawRandom(seed: number, number: number): number {
  let mixed = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
