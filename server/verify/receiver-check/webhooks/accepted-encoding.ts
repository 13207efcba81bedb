import type { CheckedOrder, Probe } from '../../../contract/checks/check.ts'
import type { Encoding, WebhookVariant } from '../../app/webhooks/webhook-variant.ts'
import { quoteIfNeeded } from '../../../domain/http/curl.ts'
import { CheckError } from '../../app/run/check-error.ts'
import { createFailure, type ReceiverFailure } from '../../app/run/failure.ts'
import { checkAnswer, checkFinalOrder } from '../../app/state/check-answer-and-order.ts'
import type { ObservedState, OrderWatch } from '../../app/state/watch-order.ts'

interface Dependencies {
  readonly makeOrder: () => Promise<CheckedOrder>
  readonly send: (order: CheckedOrder, variant: WebhookVariant) => Promise<readonly Probe[]>
  readonly watch: OrderWatch | undefined
}

/**
 * Finds out which encoding of good webhooks the receiver accepts. Tries forms before JSON. Cases about other subjects use this
 * encoding, so that a mistake with encodings does not hide other mistakes. If the receiver also rejects good webhooks, it proves
 * nothing that it rejects bad ones. If no case has tried an encoding yet, sends a good webhook in this encoding.
 */
export function createAcceptedEncoding({ makeOrder, send, watch }: Dependencies) {
  /** The failure of each encoding. `undefined` if a good webhook in this encoding was accepted. */
  const results = new Map<Encoding, ReceiverFailure | undefined>()
  /** The encodings of good webhooks that the app answered with a 4xx status. */
  const refusedEncodings = new Set<Encoding>()
  const attempts = new Map<Encoding, Promise<ReceiverFailure | undefined>>()

  async function isAccepted(encoding: Encoding): Promise<boolean> {
    if (!results.has(encoding)) {
      const attempt = attempts.get(encoding) ?? sendGoodWebhook(encoding)
      attempts.set(encoding, attempt)
      const failure = await attempt
      if (!results.has(encoding)) results.set(encoding, failure)
    }
    return results.get(encoding) === undefined
  }

  async function sendGoodWebhook(encoding: Encoding): Promise<ReceiverFailure | undefined> {
    const order = await makeOrder()
    const before = await watch?.readPatiently(order)
    const isStateKnown = watch !== undefined
    const probes = await send(order, { encoding })
    if (probes.every(({ status }) => status !== null && status >= 400 && status < 500))
      refusedEncodings.add(encoding)
    const refused = probes.map((probe) => checkAnswer('accepted', probe, { isStateKnown })).find(Boolean)
    if (watch === undefined || before === undefined || refused !== undefined) {
      return refused && createFailure(refused, order)
    }
    const seen = await watch.waitUntilPaid(order)
    rejectPaidValue(before, seen)
    const problem = checkFinalOrder('paid', seen, watch.source(order))
    return problem && createFailure(problem, order)
  }

  return {
    accepts: isAccepted,
    /** Returns `undefined` if the receiver accepts good webhooks in no encoding. */
    async detect(): Promise<Encoding | undefined> {
      if (await isAccepted('form')) return 'form'
      return (await isAccepted('json')) ? 'json' : undefined
    },
    /** The encoding found so far. Sends nothing. */
    known: (): Encoding | undefined =>
      (['form', 'json'] as const).find(
        (encoding) => results.has(encoding) && results.get(encoding) === undefined,
      ),
    /** Why a good webhook in this encoding failed. `undefined` if this is not known. */
    failureWith: (encoding: Encoding): ReceiverFailure | undefined => results.get(encoding),
    /** Whether the app answered the first good webhook in this encoding with a 4xx status. */
    isRefused: (encoding: Encoding): boolean => refusedEncodings.has(encoding),
    record: (encoding: Encoding, failure: ReceiverFailure | undefined): void =>
      void results.set(encoding, failure),
  }
}

export type AcceptedEncoding = ReturnType<typeof createAcceptedEncoding>

/** Ends the check if a payment changes the state to a value that the options do not list as paid. */
export function rejectPaidValue(before: ObservedState, after: ObservedState): void {
  if ('unknown' in before || 'unknown' in after || after.paid) return
  if (before.value === undefined || after.value === undefined || before.value === after.value) return
  const value = JSON.stringify(after.value)
  throw new CheckError(
    `Nothing was checked, because the state is ${value} after a payment, and ${JSON.stringify(before.value)} before. If ${value} means paid, pass --paid-value ${quoteIfNeeded(after.value)}.`,
  )
}
