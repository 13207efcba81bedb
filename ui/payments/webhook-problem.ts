import type { EventView } from '../../server/contract/views.ts'
import { NO_LISTENER } from '../../server/contract/format/describe-event.ts'
import { isStored } from '../../server/domain/webhooks/delivery.ts'
import { listenerAnswers } from '../../server/contract/format/listener-answers.ts'
import { plural } from '../../server/contract/format/values.ts'
import type { WebhookMark } from '../../server/contract/format/webhook-marks.ts'

/** A problem with the webhooks of a payment. */
interface WebhookProblem {
  readonly tone: 'err' | 'warn' | 'plain'
  readonly title: string
  /** One sentence for each target. */
  readonly sentences: readonly string[]
  /** The webhooks with the problem. */
  readonly marks: readonly WebhookMark[]
}

/**
 * The problem of a payment's webhooks. `null` if all were delivered or will be tried again. A webhook that is stored, or that
 * went to another address, is only worth a note.
 */
export function webhookProblem(
  marks: readonly WebhookMark[],
  events: readonly EventView[],
): WebhookProblem | null {
  const failed = marks.filter(({ state }) => state === 'failed')
  if (failed.length > 0) {
    return {
      tone: 'err',
      title:
        failed.length === marks.length
          ? 'Your app missed this payment'
          : `${failed.length} of ${marks.length} receivers missed this payment`,
      sentences: failed.map((mark) => failedSentence(mark, events)),
      marks: failed,
    }
  }
  const held = marks.filter(({ state }) => state === 'held')
  if (held.length === 0) {
    return (
      storedNote(marks.filter(({ state }) => state === 'stored')) ??
      otherAddressNote(marks.filter(({ deliveredTo }) => deliveredTo !== undefined))
    )
  }
  const hosts = [...new Set(held.map(({ target }) => withoutScheme(target).replace(/[/?].*$/, '')))]
  return {
    tone: 'warn',
    title: held.length === 1 ? 'The webhook is held' : `${held.length} webhooks are held`,
    sentences: [
      `${hosts.join(' and ')} ${hosts.length === 1 ? 'is' : 'are'} not on this machine, so the sandbox does not send to ${hosts.length === 1 ? 'it' : 'them'}.`,
    ],
    marks: held,
  }
}

function storedNote(stored: readonly WebhookMark[]): WebhookProblem | null {
  if (stored.length === 0) return null
  const tunnels = [...new Set(stored.map(({ storedIn }) => storedIn))]
  const isOne = stored.length === 1
  return {
    tone: 'plain',
    title: isOne ? 'The webhook is stored' : `${stored.length} webhooks are stored`,
    sentences: [
      `${tunnels.length === 1 ? 'Tunnel' : 'Tunnels'} ${tunnels.join(' and ')} stored ${isOne ? 'it' : 'them'}, because ${NO_LISTENER}. Your app has not seen ${isOne ? 'it' : 'them'}.`,
    ],
    marks: stored,
  }
}

function otherAddressNote(marks: readonly WebhookMark[]): WebhookProblem | null {
  if (marks.length === 0) return null
  return {
    tone: 'plain',
    title: 'Your app got the webhook at another address',
    sentences: marks.map(
      ({ target, deliveredTo }) =>
        `A replay was delivered to ${withoutScheme(deliveredTo!)}. ${withoutScheme(target)}, the address of the payment, has not received it.`,
    ),
    marks,
  }
}

function failedSentence(
  { target, deliveryId, seq, attempts }: WebhookMark,
  events: readonly EventView[],
): string {
  const listenerAnswer = listenerAnswers(events).get(deliveryId)
  const last = events.find(
    (event) => event.type === 'delivery.attempted' && event.deliveryId === deliveryId && event.seq === seq,
  )
  if (listenerAnswer && last?.type === 'delivery.attempted' && isStored(last)) {
    const answer = listenerAnswer.status === null ? 'gave no answer' : `answered ${listenerAnswer.status}`
    return `Listener ${listenerAnswer.listener} fetched the webhook from tunnel ${last.storedIn}, and your app ${answer}.`
  }
  const { httpStatus: status = null, redirectedTo: location } =
    last?.type === 'delivery.attempted' ? last : {}
  const were = attempts === 1 ? 'was' : 'were'
  const result =
    status === null
      ? 'got no answer'
      : location === undefined
        ? `${were} answered ${status}`
        : `${were} redirected to ${location}`
  return `${plural(attempts, 'attempt')} to ${withoutScheme(target)} ${result}.`
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '')
