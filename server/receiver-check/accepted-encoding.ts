import type { Probe } from '../contract/check.ts'
import type { Encoding, WebhookVariant } from './check-case.ts'
import { failureOf, type Failure } from './failure.ts'
import { judgeAnswer } from './judge.ts'
import { judgeOrder } from './judge.ts'
import type { CheckedOrder } from '../contract/check.ts'
import type { OrderWatch } from './watch-order.ts'

interface Dependencies {
  readonly makeOrder: () => Promise<CheckedOrder>
  readonly send: (order: CheckedOrder, sending: WebhookVariant) => Promise<readonly Probe[]>
  readonly watch: OrderWatch | undefined
}

/**
 * How a receiver takes good webhooks, a form before JSON: one mistake about encodings is not to hide what else there
 * is, and whoever refuses good webhooks too has shown nothing by refusing a bad one. What no case has told by then is
 * found out by a good webhook of its own.
 */
export function createAcceptedEncoding({ makeOrder, send, watch }: Dependencies) {
  /** `undefined` for an encoding in which a good webhook was taken. */
  const results = new Map<Encoding, Failure | undefined>()

  async function isAccepted(as: Encoding): Promise<boolean> {
    if (!results.has(as)) results.set(as, await sendGoodWebhook(as))
    return results.get(as) === undefined
  }

  async function sendGoodWebhook(as: Encoding): Promise<Failure | undefined> {
    const order = await makeOrder()
    const answers = (await send(order, { encoding: as })).map((probe) => judgeAnswer('accepted', probe))
    const wrong =
      answers.find((answer) => answer !== undefined) ??
      (watch && judgeOrder('paid', await watch.untilPaid(order), watch.source(order)))
    return wrong === undefined ? undefined : failureOf(wrong, order)
  }

  return {
    /** `undefined` where good webhooks are taken in no way. */
    async detect(): Promise<Encoding | undefined> {
      if (await isAccepted('form')) return 'form'
      return (await isAccepted('json')) ? 'json' : undefined
    },
    /** The same by what is known so far, for which nothing more is sent. */
    known: (): Encoding | undefined =>
      (['form', 'json'] as const).find((as) => results.has(as) && results.get(as) === undefined),
    /** Why a good webhook failed in this encoding, by what is known so far. */
    failureWith: (as: Encoding): Failure | undefined => results.get(as),
    record: (as: Encoding, failure: Failure | undefined): void => void results.set(as, failure),
  }
}

export type AcceptedEncoding = ReturnType<typeof createAcceptedEncoding>
