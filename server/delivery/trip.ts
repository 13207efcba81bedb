import type { Delivery } from '../domain/delivery.ts'
import { aboutDelivery } from '../domain/events.ts'
import type { FaultMark } from '../domain/fault.ts'
import type { EffectAt } from '../domain/fault-effect.ts'
import * as deliveries from '../store/deliveries.ts'
import * as epoch from '../store/epoch.ts'
import * as faults from '../store/faults.ts'
import type { Work } from '../store/store.ts'
import { letRedirectGo } from './let-redirect-go.ts'

/** A webhook on its way, and the life of the journal it belongs to. */
export interface Trip {
  readonly delivery: Delivery
  /** What goes wrong with this attempt. */
  readonly effect: EffectAt['webhook'] | undefined
  readonly mark: FaultMark | undefined
  readonly epoch: string | undefined
}

/** Takes what is due for a target, and what a fault does to that. One that is put off makes way for the next. */
export async function takeTrip(
  work: Work,
  target: string,
  hrefOf: (target: string) => string,
): Promise<Trip | undefined> {
  const { db, now } = work
  for (;;) {
    const delivery = await deliveries.take(db, target, now)
    if (!delivery) return undefined
    // A fault strikes once: what it has put off or made goes out as it is.
    const { effect, mark = delivery.fault ?? undefined } =
      delivery.fault === null
        ? await faults.strike(db, {
            on: 'webhook',
            accountId: delivery.accountId,
            targets: [target, hrefOf(target)],
          })
        : { effect: undefined }
    if (mark && (effect?.kind === 'delay' || effect?.kind === 'reorder')) {
      await putOff(work, { ...delivery, fault: mark }, effect.ms)
      continue
    }
    if (mark && effect?.kind === 'duplicate') await copy(work, { ...delivery, fault: mark }, effect.copies)
    return { delivery, effect, mark, epoch: await epoch.current(db) }
  }
}

async function putOff(work: Work, delivery: Delivery, ms: number): Promise<void> {
  const { db, now, record } = work
  const dueAt = new Date(Date.parse(now) + ms).toISOString()
  await deliveries.save(db, { ...delivery, state: 'pending', dueAt, order: null })
  await record({ type: 'delivery.delayed', ...aboutDelivery(delivery), dueAt })
  // Nobody waits for what the clock may never come to.
  if (delivery.order === 'webhook-first') await letRedirectGo(work, delivery)
}

/** Queues the same bytes again, which follow in the same lane. */
async function copy({ db, now, record }: Work, origin: Delivery, copies: number): Promise<void> {
  for (let number = 0; number < copies; number++) {
    const duplicate = await deliveries.queue(
      db,
      {
        accountId: origin.accountId,
        linkId: origin.linkId,
        payId: origin.payId,
        status: origin.status,
        target: origin.target,
        contentType: origin.contentType,
        body: origin.body,
        cause: 'duplicate',
        because: `duplicate of delivery ${origin.id}`,
        retries: 'none',
        replayOf: origin.id,
        ...(origin.fault === null ? {} : { fault: origin.fault }),
      },
      now,
    )
    await record({ type: 'delivery.queued', ...aboutDelivery(duplicate), assumed: [] })
  }
}
