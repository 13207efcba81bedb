import type { EventView } from '../../server/contract/views.ts'
import { plural } from '../../server/contract/format/values.ts'
import { answerOfAttempt } from '../../server/contract/format/answer-of-attempt.ts'
import { capitalize, NO_LISTENER, splitUrl } from '../../server/contract/format/describe-event.ts'
import type { WebhookMark } from '../../server/contract/format/webhook-marks.ts'
import { causeOfAttempt, isLoginPage } from '../../server/contract/format/verdict.ts'
import { isForged } from '../../server/domain/faults/fault.ts'
import { heldText } from '../../server/domain/network/egress-text.ts'
import { isStored, isSuccessful } from '../../server/domain/webhooks/delivery.ts'
import type { FindingView, HeldEvent } from '../data/event-index.ts'
import { log } from '../data/session.ts'

type Attempt = Extract<EventView, { type: 'delivery.attempted' }>
type Call = Extract<EventView, { type: 'api.request' | 'api.limited' }>

/** Why an event failed, waits or is stored, and what to do about it. */
interface Failure {
  /** `err`: the failure is final. `warn`: the webhook is held or will be tried again. `plain`: a tunnel has stored it. */
  readonly tone: 'err' | 'warn' | 'plain'
  readonly title: string
  readonly text: string
  /** When the next attempt is due. */
  readonly nextAttemptAt?: string | null
  /** Set if the webhook has arrived earlier or later, for example by a replay. */
  readonly arrival?: WebhookMark | undefined
  readonly fix: string | undefined
  /** The line of the app's code in the text, from a stack trace. */
  readonly place?: string
  /** A command that does what the text suggests. */
  readonly command?: string
  /** The finding that the texts come from. */
  readonly finding?: FindingView | undefined
  /** Set for a webhook that is still held. */
  readonly held?: HeldEvent
}

/** The texts of the card of a failed, held or stored event. `undefined` if nothing is wrong. */
export function failureOf(event: EventView): Failure | undefined {
  const { eventIndex } = log.journal.value
  const findings = eventIndex.findingsOf(event.seq)
  const finding = findings.find(({ severity }) => severity === 'error') ?? findings[0]
  switch (event.type) {
    case 'api.request':
    case 'api.limited':
      return event.code === 1 ? undefined : refusedCall(event, finding)
    case 'delivery.attempted':
      if (isStored(event)) return storedWebhook(event)
      return event.state === 'delivered' ? undefined : failedAttempt(event, finding)
    case 'delivery.held':
      return eventIndex.held.get(event.deliveryId)?.seq === event.seq ? heldWebhook(event) : undefined
    case 'diagnostic.found':
      return {
        tone: event.severity === 'error' ? 'err' : 'warn',
        title: event.title,
        text: `Seen: ${event.seen}.`,
        fix: event.fix,
      }
    case 'redirect.lost':
      return {
        tone: 'err',
        title: 'The browser was closed before the redirect',
        text: 'Your app got no redirect for this payment. Customers close the page, or lose the connection.',
        fix: 'Rely on the webhook, not on the redirect.',
      }
    default:
      return undefined
  }
}

function refusedCall(event: Call, finding: FindingView | undefined): Failure {
  const seen = finding && finding.severity !== 'hint' ? ` ${finding.title}: ${finding.seen}.` : ''
  return {
    tone: 'err',
    title: event.message,
    text: `${event.operation} ${event.upstreamError === undefined ? 'was refused' : 'got no answer'}, with ResponseCode 0 and status ${event.status}.${seen}`,
    fix: finding && finding.severity !== 'hint' ? finding.fix : undefined,
    finding,
  }
}

function failedAttempt(event: Attempt, finding: FindingView | undefined): Failure {
  const { host, path } = splitUrl(event.mappedTo ?? event.target)
  const isForGood = event.nextAttemptAt === null
  const location = event.redirectedTo
  const isLogin = location !== undefined && isLoginPage(location)
  const { remedy } = causeOfAttempt(event)
  const observation =
    event.httpStatus === null
      ? `No answer from ${host}${path}: ${event.error ?? 'the reason is unknown'}.`
      : `${answerOfAttempt(event)}.${location === undefined ? '' : ' Redirects are not followed.'}`
  const arrival = isForGood ? arrivalOf(event) : undefined
  const attempts =
    event.attempt > 1 ? ` ${isForGood ? 'All' : 'So far'} ${plural(event.attempt, 'attempt')} failed.` : ''
  return {
    tone: isForGood ? 'err' : 'warn',
    title:
      location === undefined
        ? event.errorCode === 'connectionRefused' && finding?.code !== 'containerLocalhost'
          ? `Nothing listens on ${host}`
          : (finding?.title ?? 'The webhook was not delivered')
        : `Your app redirects the webhook${isLogin ? ' to its login page' : ''}`,
    text: `${observation}${isForGood && arrival === undefined && !isForged(event.fault) ? ' Your app does not know about this payment.' : ''}${attempts}`,
    arrival,
    // After an older attempt, the next attempt has already been made.
    nextAttemptAt: isNewest(event) ? event.nextAttemptAt : null,
    ...(event.errorPlace !== undefined && { place: event.errorPlace }),
    fix: isLogin
      ? `${remedy}, so that it answers 2xx itself.`
      : event.errorPlace !== undefined || finding === undefined || GENERAL.has(finding.code)
        ? `${remedy}.`
        : finding.fix,
    finding,
  }
}

/** Findings whose advice is more general than the overview's. */
const GENERAL: ReadonlySet<FindingView['code']> = new Set(['receiverRefused', 'receiverGone'])

const isNewest = ({ deliveryId, seq }: Attempt): boolean =>
  log.journal.value.eventIndex.eventsOfDelivery(deliveryId).at(-1)?.seq === seq

/** Where and when the webhook of an attempt has arrived, for example by a replay. */
function arrivalOf({ payId, deliveryId }: Attempt): WebhookMark | undefined {
  const marks = payId === null ? [] : log.journal.value.eventIndex.webhooksOfPayment(payId)
  return marks.find(({ state, deliveryIds }) => state === 'delivered' && deliveryIds.includes(deliveryId))
}

function storedWebhook(event: Attempt): Failure | undefined {
  const { listenerAnswerOf, capturesOfDelivery } = log.journal.value.eventIndex
  const listenerAnswer = listenerAnswerOf(event.deliveryId)
  if (listenerAnswer && isSuccessful(listenerAnswer)) return undefined
  if (listenerAnswer) {
    return {
      tone: 'err',
      title:
        listenerAnswer.status === null
          ? 'Your app gave no answer'
          : `Your app answered ${listenerAnswer.status}`,
      text: `Tunnel ${event.storedIn} stored the webhook, and listener ${listenerAnswer.listener} fetched it later${listenerAnswer.error === null ? '' : `: ${listenerAnswer.error}`}.`,
      fix: 'Correct your app, then replay the webhook while the listener is connected.',
    }
  }
  const since = capturesOfDelivery(event.deliveryId)[0]?.seq ?? 'all'
  return {
    tone: 'plain',
    title: `Stored in tunnel ${event.storedIn}`,
    text: `${capitalize(NO_LISTENER)}, so the tunnel answered by itself. Your app has not seen this webhook.`,
    fix: 'Start a listener, which forwards it to your app. Or set the payment endpoint of the account to the address of your app, for later payments.',
    command: `npx paylink-sandbox listen ${event.storedIn} --since ${since} --forward-to http://localhost:3000/webhooks`,
  }
}

function heldWebhook(event: HeldEvent): Failure {
  const { host } = splitUrl(event.mappedTo ?? event.target)
  const isPublic = event.hostScope === 'public'
  return {
    tone: 'warn',
    title: isPublic ? `Held, because ${host} is a public host` : 'Held, because the target is not allowed',
    text: isPublic
      ? 'Webhooks are not signed. A fake Success could reach a real shop, so the sandbox sends to this machine and private networks only.'
      : `${heldText(event)}.`,
    fix: 'Map the host to your local app. Its held webhooks are then sent there.',
    held: event,
  }
}
