import type { CheckedOrder, Probe } from '../../../contract/checks/check.ts'
import type { Encoding, WebhookVariant } from '../../app/webhooks/webhook-variant.ts'
import { createFailure, type ReceiverFailure } from '../../app/run/failure.ts'
import { checkAnswer, checkFinalOrder } from '../../app/state/check-answer-and-order.ts'
import { rejectPaidValue } from '../../app/state/reject-paid-value.ts'
import type { OrderWatch } from '../../app/state/watch-order.ts'

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
