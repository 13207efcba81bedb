import { isDeepStrictEqual } from 'node:util'
import { diagnoseAttempt } from '../../domain/diagnostics/diagnose-attempt.ts'
import { responseFacts } from '../../domain/webhooks/response-facts.ts'
import { type Exchange, textBody, encodeBody } from '../../domain/http/exchange.ts'
import { linkSubject } from '../../domain/links/subject.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { type Attempt, type Delivery, applyAttempt, deliverySubject } from '../../domain/webhooks/delivery.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import * as faults from '../../store/repositories/faults.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { updateStored } from '../operations/webhooks/update-stored.ts'
import type { DeliveryJob } from './delivery-job.ts'
import type { AttemptResult, HoldResult, SendResult } from './send-delivery.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

export interface RecordOptions {
  /** Whether the sandbox runs in a container. */
  readonly isInContainer: boolean
}

/** Records the result of a delivery: its attempt, or why the egress policy holds it. */
export async function recordResult(
  work: UnitOfWork,
  job: DeliveryJob,
  result: SendResult,
  options: RecordOptions,
): Promise<void> {
  // After a reset of the sandbox, the id may belong to a different delivery.
  if ((await epoch.current(work.db)) !== job.epoch) return
  if ('hostScope' in result) await hold(work, await withoutFault(work, job), result)
  else await recordAttempt(work, result.isFinal ? await withoutFault(work, job) : job, result, options)
}

/** Makes a delivery due again whose webhook was not sent. */
export async function giveBack(work: UnitOfWork, job: DeliveryJob): Promise<void> {
  if ((await epoch.current(work.db)) !== job.epoch) return
  const { delivery } = await withoutFault(work, job)
  await deliveries.save(work.db, { ...delivery, state: 'pending' })
}

/**
 * Holds a delivery. If the egress rules have changed while it was checked, queues it again instead, because the change has
 * affected only deliveries that were already held.
 */
async function hold(
  work: UnitOfWork,
  { delivery, mappedTo, egressRules: checkedRules }: DeliveryJob,
  why: HoldResult,
): Promise<void> {
  if (!isDeepStrictEqual(await egressRules.read(work.db), checkedRules)) {
    await deliveries.save(work.db, { ...delivery, state: 'pending' })
    return
  }
  const held: Delivery = { ...delivery, state: 'held', nextAttemptAt: null }
  if (!(await deliveries.save(work.db, held))) return
  const subject = { ...deliverySubject(delivery), ...omitUndefined({ mappedTo }) }
  await work.record({ type: 'delivery.held', ...subject, ...why })
}

/** Records nothing if the delivery no longer exists. */
async function recordAttempt(
  work: UnitOfWork,
  { delivery, effect, mappedTo, url }: DeliveryJob,
  { attempt, startedAt, isFinal }: AttemptResult,
  { isInContainer }: RecordOptions,
): Promise<void> {
  const sentTo = mappedTo ?? delivery.target
  const updated = applyAttempt(isFinal ? { ...delivery, retries: 'none' } : delivery, attempt, work.now)
  if (!(await deliveries.save(work.db, updated))) return
  const eventSeq = await work.record(
    {
      type: 'delivery.attempted',
      ...deliverySubject(delivery),
      ...omitUndefined({ mappedTo }),
      attempt: updated.attempts,
      startedAt,
      httpStatus: attempt.status,
      error: attempt.error,
      ...omitUndefined({ errorCode: attempt.errorCode, via: attempt.via, storedIn: attempt.storedIn }),
      ...responseFacts(attempt),
      ms: attempt.ms,
      state: updated.state,
      nextAttemptAt: updated.nextAttemptAt,
      possibleDuplicate: delivery.possibleDuplicate,
    },
    exchangeOf(url?.href ?? sentTo, delivery, attempt),
  )
  if (updated.state === 'stored') await updateStored(work, delivery.id)
  if (effect?.kind === 'duplicate') await queueCopies(work, delivery, effect.copies)
  await deliveries.startReordered(work.db, delivery.target, work.now)
  // With these faults, nothing is sent, so there is no response to diagnose.
  if (effect?.kind === 'drop' || effect?.kind === 'status') return
  const { accountId, linkId: id, payId } = delivery
  const subject = linkSubject({ accountId, id, payId })
  for (const diagnostic of diagnoseAttempt({ ...delivery, target: sentTo }, attempt, isInContainer)) {
    await work.record({ type: 'diagnostic.found', ...subject, ...diagnostic, eventSeq })
  }
}

/** Gives back the fault of a job. Nothing was sent, so the fault may affect a different delivery. */
async function withoutFault(work: UnitOfWork, job: DeliveryJob): Promise<DeliveryJob> {
  const { delivery, isNewFault } = job
  if (!isNewFault || delivery.fault === null) return job
  await faults.undoFaultUse(work.db, delivery.fault)
  return { ...job, delivery: { ...delivery, fault: null }, effect: undefined }
}

/** Queues copies with the same bytes, which come next in the queue of the same target. */
async function queueCopies(
  { db, now, record }: UnitOfWork,
  original: Delivery,
  count: number,
): Promise<void> {
  const { accountId, linkId, payId, status, target, contentType, body, fault } = original
  for (let number = 0; number < count; number++) {
    const copy = await deliveries.queue(
      db,
      {
        accountId,
        linkId,
        payId,
        status,
        target,
        contentType,
        body,
        fault,
        cause: 'duplicate',
        reason: `duplicate of delivery ${original.id}`,
        retries: 'none',
        replayOf: original.id,
      },
      now,
    )
    await record({ type: 'delivery.queued', ...deliverySubject(copy), assumed: [] })
  }
}

const exchangeOf = (url: string, { body }: Delivery, attempt: Attempt): Exchange => ({
  request: { method: 'POST', url: hidePasswords(url), headers: attempt.requestHeaders, body: textBody(body) },
  response:
    attempt.status === null
      ? null
      : {
          status: attempt.status,
          headers: attempt.responseHeaders,
          body: encodeBody(attempt.responseBody, attempt.responseSize),
        },
})
