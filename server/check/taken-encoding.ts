import type { Probe } from './bench.ts'
import type { Encoding, Sending } from './check-case.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { CheckedOrder } from './order.ts'
import { isPaid, type Watch } from './watch-order.ts'

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
  const takes = new Map<Encoding, boolean>()

  async function isTaken(as: Encoding): Promise<boolean> {
    const known = takes.get(as) ?? (await tryGood(as))
    takes.set(as, known)
    return known
  }

  async function tryGood(as: Encoding): Promise<boolean> {
    const order = await makeOrder()
    const probes = await send(order, { as })
    if (probes.some((probe) => judgeAnswer('accepted', probe) !== undefined)) return false
    return watch === undefined || isPaid(await watch.untilPaid(order))
  }

  return {
    /** `undefined` where good webhooks are taken in no way. */
    async encoding(): Promise<Encoding | undefined> {
      if (await isTaken('form')) return 'form'
      return (await isTaken('json')) ? 'json' : undefined
    },
    /** The same by what is known so far, for which nothing more is sent. */
    shown: (): Encoding | undefined => (['form', 'json'] as const).find((as) => takes.get(as)),
    learn: (as: Encoding, passed: boolean): void => void takes.set(as, passed),
  }
}

export type Taken = ReturnType<typeof createTaken>
