import type { Instant } from '../time/time.ts'

/** Where something can go wrong: a call of the v2 API, a webhook, or the redirect. */
export const faultPoints = ['api', 'webhook', 'redirect'] as const

export type FaultPoint = (typeof faultPoints)[number]

/** Something that the developer asked to go wrong. */
export interface Fault {
  readonly id: number
  readonly on: FaultPoint
  /** Whose calls and notifications it strikes. `null` for everybody's. */
  readonly accountId: string | null
  /** Which calls it strikes. `null` for all of them. */
  readonly operation: string | null
  /** How the targets begin whose webhooks it strikes. `null` for all of them. */
  readonly target: string | null
  /** What goes wrong at one occasion after another, as `fault-effect.ts` reads it. */
  readonly script: readonly string[]
  /** How often the script is gone through. `null` for as long as the fault is there. */
  readonly times: number | null
  /** How likely an occasion is to be struck, up to 1. */
  readonly probability: number
  /** What chance is drawn from: the same seed strikes the same occasions. */
  readonly seed: number
  /** How many calls, webhooks or redirects it applied to. */
  readonly matched: number
  /** How many of those it changed. */
  readonly triggered: number
  readonly createdAt: Instant
}

/** What a fault did to what an event tells of. */
export interface FaultMark {
  /** The fault, `null` for what was asked for by hand. */
  readonly id: number | null
  readonly effect: string
}

/** The mark of what the sandbox has written and the service never said. */
export const createForgedMark = (forgery: string): FaultMark => ({ id: null, effect: `forged:${forgery}` })

export const isForged = (mark: FaultMark | null): boolean => mark?.effect.startsWith('forged:') ?? false

/** A call, an attempt of a webhook, or a redirect that may be struck. */
export interface FaultCandidate {
  readonly on: FaultPoint
  readonly accountId: string | null
  readonly operation?: string
  /** The target, in each way that it is written. */
  readonly targets?: readonly string[]
}

/** Whether a fault is meant for an occasion. */
export const isFaultFor = (
  fault: Fault,
  { on, accountId, operation, targets = [] }: FaultCandidate,
): boolean =>
  fault.on === on &&
  (fault.accountId === null || fault.accountId === accountId) &&
  (fault.operation === null || fault.operation === operation) &&
  (fault.target === null || targets.some((target) => target.startsWith(fault.target!)))

/** How many occasions it still strikes, `null` for no end of them. */
export const remainingStrikes = ({ script, times, triggered }: Fault): number | null =>
  times === null ? null : Math.max(0, script.length * times - triggered)

/** Asks a fault about an occasion it is meant for: what it is afterwards, and what goes wrong, if anything does. */
export function evaluateFault(fault: Fault): { readonly fault: Fault; readonly effect: string | null } {
  const counted: Fault = { ...fault, matched: fault.matched + 1 }
  if (remainingStrikes(fault) === 0) return { fault, effect: null }
  if (fault.probability < 1 && drawRandom(fault.seed, fault.matched) >= fault.probability) {
    return { fault: counted, effect: null }
  }
  return {
    fault: { ...counted, triggered: fault.triggered + 1 },
    effect: fault.script[fault.triggered % fault.script.length] ?? null,
  }
}

/** The `number`th draw of a seed, from 0 to below 1: one round of the generator mulberry32. */
function drawRandom(seed: number, number: number): number {
  let mixed = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
