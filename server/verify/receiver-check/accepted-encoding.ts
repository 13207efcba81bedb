import type { CheckedOrder, Probe } from '../../contract/checks/check.ts'
import type { Encoding, WebhookVariant } from './check-case.ts'
import { createFailure, type Failure } from './failure.ts'
import { judgeAnswer, judgeOrder } from './judge.ts'
import type { OrderWatch } from './watch-order.ts'

interface Dependencies {
  readonly makeOrder: () => Promise<CheckedOrder>
  readonly send: (order: CheckedOrder, variant: WebhookVariant) => Promise<readonly Probe[]>
  readonly watch: OrderWatch | undefined
}

/**
 * Finds out in which encoding the receiver accepts good webhooks, a form before JSON. Cases about other things use
 * that encoding, so that a mistake about encodings does not hide other mistakes. If the receiver rejects good
 * webhooks too, its rejection of bad ones proves nothing. If no case has tried an encoding yet, this sends a good
 * webhook in it.
 */
export function createAcceptedEncoding({ makeOrder, send, watch }: Dependencies) {
  /** The value is `undefined` for an encoding in which a good webhook was accepted. */
  const results = new Map<Encoding, Failure | undefined>()

  async function isAccepted(encoding: Encoding): Promise<boolean> {
    if (!results.has(encoding)) results.set(encoding, await sendGoodWebhook(encoding))
    return results.get(encoding) === undefined
  }

  async function sendGoodWebhook(encoding: Encoding): Promise<Failure | undefined> {
    const order = await makeOrder()
    const problems = (await send(order, { encoding })).map((probe) => judgeAnswer('accepted', probe))
    const problem =
      problems.find((one) => one !== undefined) ??
      (watch && judgeOrder('paid', await watch.waitUntilPaid(order), watch.source(order)))
    return problem === undefined ? undefined : createFailure(problem, order)
  }

  return {
    /** Returns `undefined` if the receiver accepts good webhooks in neither encoding. */
    async detect(): Promise<Encoding | undefined> {
      if (await isAccepted('form')) return 'form'
      return (await isAccepted('json')) ? 'json' : undefined
    },
    /** The accepted encoding as far as it is known. Sends nothing. */
    known: (): Encoding | undefined =>
      (['form', 'json'] as const).find(
        (encoding) => results.has(encoding) && results.get(encoding) === undefined,
      ),
    /** Why a good webhook in this encoding failed, as far as it is known. */
    failureWith: (encoding: Encoding): Failure | undefined => results.get(encoding),
    record: (encoding: Encoding, failure: Failure | undefined): void => void results.set(encoding, failure),
  }
}

export type AcceptedEncoding = ReturnType<typeof createAcceptedEncoding>
