import type { Probe } from '../contract/check.ts'
import type { Encoding, Sending } from './check-case.ts'
import { failureOf, type Failure } from './failure.ts'
import { judgeAnswer } from './judge.ts'
import { judgeOrder } from './judge.ts'
import type { CheckedOrder } from '../contract/check.ts'
import type { Watch } from './watch-order.ts'

interface Means {
  readonly makeOrder: () => Promise<CheckedOrder>
  readonly send: (order: CheckedOrder, sending: Sending) => Promise<readonly Probe[]>
  readonly watch: Watch | undefined
}

/**
 * How a receiver takes good webhooks, a form before JSON: one mistake about encodings is not to hide what else there
 * is, and whoever refuses good webhooks too has shown nothing by refusing a bad one. What no case has told by then is
 * found out by a good webhook of its own.
 */
export function createTaken({ makeOrder, send, watch }: Means) {
  /** `undefined` for an encoding in which a good webhook was taken. */
  const tried = new Map<Encoding, Failure | undefined>()

  async function isTaken(as: Encoding): Promise<boolean> {
    if (!tried.has(as)) tried.set(as, await tryGood(as))
    return tried.get(as) === undefined
  }

  async function tryGood(as: Encoding): Promise<Failure | undefined> {
    const order = await makeOrder()
    const answers = (await send(order, { as })).map((probe) => judgeAnswer('accepted', probe))
    const wrong =
      answers.find((answer) => answer !== undefined) ??
      (watch && judgeOrder('paid', await watch.untilPaid(order), watch.teller(order)))
    return wrong === undefined ? undefined : failureOf(wrong, order)
  }

  return {
    /** `undefined` where good webhooks are taken in no way. */
    async encoding(): Promise<Encoding | undefined> {
      if (await isTaken('form')) return 'form'
      return (await isTaken('json')) ? 'json' : undefined
    },
    /** The same by what is known so far, for which nothing more is sent. */
    shown: (): Encoding | undefined =>
      (['form', 'json'] as const).find((as) => tried.has(as) && tried.get(as) === undefined),
    /** Why a good webhook failed in this encoding, by what is known so far. */
    failure: (as: Encoding): Failure | undefined => tried.get(as),
    learn: (as: Encoding, failure: Failure | undefined): void => void tried.set(as, failure),
  }
}

export type Taken = ReturnType<typeof createTaken>
