import type { ResponseFacts } from '../../domain/webhooks/response-facts.ts'
import { groupBy } from './group-by.ts'
import type { EventView, LinkView } from '../views.ts'
import { capitalize, hostAndPort, splitUrl } from './describe-event.ts'
import { listenerAnswers } from './listener-answers.ts'
import { formatCount, plural } from './values.ts'
import { webhookMarks, type WebhookMark, type WebhookState } from './webhook-marks.ts'

/** Why several payments have not reached the app, and what to do. */
interface MissedCause {
  /** `500 from localhost:3000, TypeError in /app/webhook.js:12` */
  readonly text: string
  /** What to do first: `Fix the exception at /app/webhook.js:12`. */
  readonly remedy: string
  /** The line of the app's code, from a stack trace. */
  readonly place?: string
  readonly payIds: readonly number[]
  /** The deliveries to replay. Held webhooks are not among them, because they are sent once their host is mapped or allowed. */
  readonly deliveryIds: readonly number[]
}

/** Whether the app has learned the outcome of a payment (paid or cancelled). Every screen and text uses this definition. */
type Reach =
  /** The payment has no outcome yet, or its webhooks are underway. */
  | 'open'
  /** No webhook is sent for the outcome. */
  | 'silent'
  /** A webhook has failed, is waiting for another attempt, or is held. */
  | 'missed'
  /** A webhook is stored in a tunnel, and all others have arrived. */
  | 'stored'
  | 'reached'

interface Verdict {
  readonly missed: number
  readonly tone: 'ok' | 'err' | 'plain'
  /** The causes, the most frequent one first. */
  readonly causes: readonly MissedCause[]
  /** `3 of 43 paid payments have not reached your app.` */
  readonly headline: string
  /** `All 3: 500 from localhost:3000.` Empty if nothing was missed. */
  readonly reason: string
  /** `Start your app on localhost:3000, then replay 3.` Empty if nothing was missed. */
  readonly remedy: string
}

/** A payment with its events, oldest first. */
interface PaymentWithEvents {
  readonly payId: number
  readonly status: LinkView['status']
  readonly webhooks: readonly WebhookMark[]
  readonly events: readonly EventView[]
}

/** The states of webhooks that the app missed, the worst first. */
const MISSED: readonly WebhookState[] = ['failed', 'held', 'retrying']

const missedMark = (webhooks: readonly WebhookMark[]): WebhookMark | undefined =>
  MISSED.map((state) => webhooks.find((mark) => mark.state === state)).find((mark) => mark !== undefined)

export function reachOf(status: LinkView['status'], webhooks: readonly WebhookMark[]): Reach {
  if (status !== 'paid' && status !== 'cancelled') return 'open'
  if (webhooks.length === 0) return 'silent'
  if (missedMark(webhooks)) return 'missed'
  if (webhooks.some(({ state }) => state === 'queued')) return 'open'
  return webhooks.some(({ state }) => state === 'stored') ? 'stored' : 'reached'
}

/** The verdict on the payments of a run. */
export function verdictOfPayments(payments: readonly PaymentWithEvents[]): Verdict {
  const groups = groupBy(payments, ({ status, webhooks }) => reachOf(status, webhooks))
  const of = (reach: Reach): readonly PaymentWithEvents[] => groups.get(reach) ?? []
  const missed = of('missed')
  const causes = groupByCause(missed)
  // If the webhooks of the first cause cannot be replayed, for example because they are held, only its remedy is shown.
  const replays = causes[0]?.deliveryIds.length ? causes.flatMap(({ deliveryIds }) => deliveryIds).length : 0
  const replay = replays === 0 ? '' : `, then replay ${replays === 1 ? 'the webhook' : formatCount(replays)}`
  return {
    missed: missed.length,
    tone: missed.length > 0 ? 'err' : of('stored').length > 0 || of('reached').length === 0 ? 'plain' : 'ok',
    causes,
    headline: headlineOf(of),
    reason: reasonOf(causes, missed.length),
    remedy: causes[0] ? `${causes[0].remedy}${replay}.` : '',
  }
}

/** The verdict on the payments in a list of events, which begins with the oldest. */
export const verdictOfEvents = (events: readonly EventView[]): Verdict =>
  verdictOfPayments(paymentsOf(events))

/** The payments in a list of events, which begins with the oldest. */
export function paymentsOf(events: readonly EventView[]): readonly PaymentWithEvents[] {
  const byPayment = groupBy(
    events.filter(({ payId }) => payId !== null),
    ({ payId }) => payId!,
  )
  return [...byPayment].map(([payId, own]) => ({
    payId,
    status: statusAfter(own),
    webhooks: webhookMarks(own),
    events: own,
  }))
}

function statusAfter(events: readonly EventView[]): LinkView['status'] {
  const last = events.findLast(({ type }) => type === 'link.paid' || type === 'link.cancelled')
  return last?.type === 'link.paid' ? 'paid' : last ? 'cancelled' : 'unused'
}

function headlineOf(of: (reach: Reach) => readonly PaymentWithEvents[]): string {
  const [missed, stored] = [of('missed').length, of('stored').length]
  const underway = of('open').filter(({ webhooks }) => webhooks.length > 0)
  const sent = [...of('missed'), ...of('stored'), ...of('reached')]
  const all = sent.length > 0 ? sent : of('silent')
  const kind = kindOf(all)
  if (all.length === 0 && underway.length > 0) {
    return underway.length === 1
      ? `The webhook of the ${kindOf(underway)} payment is on its way.`
      : `The webhooks of ${formatCount(underway.length)} ${kindOf(underway)} payments are on their way.`
  }
  if (all.length === 0) return 'No payment has been paid or cancelled.'
  const one = all.length === 1
  if (sent.length === 0) {
    return one
      ? `The ${kind} payment has no webhook.`
      : `The ${formatCount(all.length)} ${kind} payments have no webhooks.`
  }
  if (missed > 0) {
    return one
      ? `The ${kind} payment has not reached your app.`
      : missed === all.length
        ? `None of the ${formatCount(missed)} ${kind} payments has reached your app.`
        : `${formatCount(missed)} of ${formatCount(all.length)} ${kind} payments ${missed === 1 ? 'has' : 'have'} not reached your app.`
  }
  if (stored > 0) {
    return one
      ? `The webhook of the ${kind} payment is stored in a tunnel. Your app has not seen it.`
      : `The webhooks of ${stored === all.length ? 'all' : `${formatCount(stored)} of`} ${formatCount(all.length)} ${kind} payments are stored in a tunnel. Your app has not seen them.`
  }
  const elsewhere = all.filter(({ webhooks }) =>
    webhooks.some(({ deliveredTo }) => deliveredTo !== undefined),
  )
  const address = elsewhere.length === 0 ? '' : ' at another address'
  if (one) return `The ${kind} payment has reached your app${address}.`
  const some = address && `, ${formatCount(elsewhere.length)} of them${address}`
  return `All ${formatCount(all.length)} ${kind} payments have reached your app${some}.`
}

function kindOf(payments: readonly PaymentWithEvents[]): string {
  const statuses = new Set(payments.map(({ status }) => status))
  return [...statuses].toSorted().toReversed().join(' or ')
}

const MAX_CAUSES = 3

function reasonOf(causes: readonly MissedCause[], missed: number): string {
  const [first, ...others] = causes
  if (!first) return ''
  if (others.length === 0)
    return missed === 1 ? `${capitalize(first.text)}.` : `All ${formatCount(missed)}: ${first.text}.`
  const shown = causes
    .slice(0, MAX_CAUSES)
    .map(({ text, payIds }) => `${plural(payIds.length, 'payment')}: ${text}.`)
  const hidden = causes.length - shown.length
  return [...shown, ...(hidden > 0 ? [`${plural(hidden, 'other cause')}.`] : [])].join(' ')
}

function groupByCause(missed: readonly PaymentWithEvents[]): readonly MissedCause[] {
  const groups = new Map<string, MissedCause & { payIds: number[]; deliveryIds: number[] }>()
  for (const payment of missed) {
    const mark = missedMark(payment.webhooks)!
    const cause = causeOf(mark, payment.events)
    const group = groups.get(cause.text) ?? { ...cause, payIds: [], deliveryIds: [] }
    groups.set(cause.text, group)
    group.payIds.push(payment.payId)
    const failed = payment.webhooks.filter(({ state }) => state === 'failed' || state === 'retrying')
    group.deliveryIds.push(...failed.map(({ deliveryId }) => deliveryId))
  }
  return [...groups.values()].toSorted((one, other) => other.payIds.length - one.payIds.length)
}

type CauseTexts = Pick<MissedCause, 'text' | 'remedy' | 'place'>

function causeOf({ seq, state, deliveryId, target }: WebhookMark, events: readonly EventView[]): CauseTexts {
  const event = events.find((one) => one.seq === seq)
  if (state === 'held') {
    const host = event?.type === 'delivery.held' ? event.host : hostAndPort(target)
    return {
      text: `held, because ${host} is not on this machine`,
      remedy: `Map ${host} to your local app, or allow it`,
    }
  }
  if (event?.type !== 'delivery.attempted') return unknownCause(hostAndPort(target))
  return causeOfAttempt(event, listenerAnswers(events).get(deliveryId))
}

/** Why an attempt failed and what to do first, from what the receiver answered. */
export function causeOfAttempt(
  event: AttemptEvent,
  listenerAnswer?: { readonly status: number | null },
): CauseTexts {
  const { host, path } = splitUrl(event.mappedTo ?? event.target)
  const status = listenerAnswer ? listenerAnswer.status : event.httpStatus
  if (status === null) return withoutAnswer(event, host)
  return causeOfAnswer(event, status, { host, path })
}

/** Why a receiver refused a webhook, and what to do first. */
export function causeOfAnswer(
  { redirectedTo, errorName, errorPlace, responseText }: ResponseFacts,
  status: number,
  { host, path }: { readonly host: string; readonly path: string },
): CauseTexts {
  if (redirectedTo !== undefined) return redirected(redirectedTo, status, host, path)
  const from = `${status} from ${host}`
  if (errorPlace !== undefined) {
    return {
      text: `${from}, ${errorName ?? 'an error'} in ${errorPlace}`,
      remedy: `Fix the exception at ${errorPlace}`,
      place: errorPlace,
    }
  }
  return {
    text: `${from}${responseText === undefined ? '' : `: “${shorten(responseText)}”`}`,
    remedy: remedyFor(status, host, path.split('?')[0] || '/'),
  }
}

const unknownCause = (host: string): CauseTexts => ({
  text: `no answer from ${host}`,
  remedy: `Check that your app listens on ${host}`,
})

function withoutAnswer({ errorCode, error }: AttemptEvent, host: string): CauseTexts {
  switch (errorCode) {
    case 'connectionRefused':
      return { text: `nothing listens on ${host}`, remedy: `Start your app on ${host}` }
    case 'timeout':
      return {
        text: `no answer from ${host} in time`,
        remedy: 'Store the webhook, answer it, and do the slow work afterwards',
      }
    case 'hostUnknown':
      return { text: `${host} is an unknown host`, remedy: 'Correct the address of the webhook' }
    default:
      return { ...unknownCause(host), ...(error !== null && { text: `no answer from ${host}: ${error}` }) }
  }
}

/** Whether a redirect seems to lead to the login page of an app. */
export const isLoginPage = (location: string): boolean => /log-?in|sign-?in|auth/i.test(location)

function redirected(location: string, status: number, host: string, path: string): CauseTexts {
  return {
    text: `${status} from ${host} to ${location.split('?')[0]}`,
    remedy: isLoginPage(location)
      ? `Exclude ${path.split('?')[0]} from the login check`
      : `Answer POST ${path.split('?')[0]} itself with 2xx, without a redirect`,
  }
}

function remedyFor(status: number, host: string, path: string): string {
  if (status === 401 || status === 403) return `Accept POST ${path} without a login or token`
  if (status === 404) return `Add a route for POST ${path}, or correct the address of the webhook`
  if (status === 405) return `Accept the method POST at ${path}`
  if (status >= 500) return `Find the error in the log of ${host}, and fix it`
  return `Make your app answer POST ${path} with 2xx`
}

type AttemptEvent = Extract<EventView, { type: 'delivery.attempted' }>

const MAX_TEXT = 60

const shorten = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text
