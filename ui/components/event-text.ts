import type { EventView, LinkView } from '../../server/contract/views.ts'
import {
  faultMarkText,
  NO_LISTENER,
  takenText,
  upstreamText,
  type TakenAnswer,
} from '../../server/contract/format/describe-event.ts'
import { hostScopeText } from '../../server/domain/network/held-text.ts'
import { isStored, isSuccessful } from '../../server/domain/webhooks/delivery.ts'
import { formatAmount, formatDuration, formatTime } from '../../server/contract/format/values.ts'
import type { Finding } from '../data/event-index.ts'
import type { Entry } from '../data/log.ts'
import { plainText } from './plain-text.ts'
import { timeZone } from '../browser/time-zone.ts'

export interface EventText {
  /** What happened, or why it failed. */
  readonly lead: string
  readonly rest: string
  /** The note of the payment, if the row tells about the payment itself. */
  readonly note: string
  /** Set if `lead` is the reason of a failure: `err` for good, `warn` if it waits or is retried. */
  readonly reason?: 'err' | 'warn'
  /** Shown in place of the word of the status. */
  readonly word?: string
  /** What the findings say about an event that worked. */
  readonly finding?: Finding
}

/** Describes an event and its payment for a row of the timeline. A failure leads with its reason. */
export function eventText(
  { event, row, taken }: Entry,
  findings: readonly Finding[],
  link: LinkView | undefined,
): EventText {
  const text = describe(event, findings, link, taken)
  const fault = 'fault' in event && event.fault ? faultMarkText(event.fault) : ''
  const upstream = 'upstream' in event ? upstreamText(event) : ''
  if (!text) {
    const reason = row.tone === 'err' ? { reason: 'err' as const } : {}
    return { lead: row.request, rest: row.message, note: '', ...reason }
  }
  const finding = text.reason ? undefined : findings.find(({ severity }) => severity !== 'hint')
  return { note: '', ...text, rest: join(text.rest, fault, upstream), ...(finding && { finding }) }
}

type Description = Omit<EventText, 'note' | 'finding'> & { readonly note?: string }

function describe(
  event: EventView,
  findings: readonly Finding[],
  link: LinkView | undefined,
  taken: TakenAnswer | undefined,
): Description | undefined {
  switch (event.type) {
    case 'api.request':
    case 'api.limited': {
      const differs = event.differences?.[0] === undefined ? undefined : `${event.status} · differs`
      if (event.code !== 1) {
        const word = event.status < 400 ? `${event.status} · code 0` : String(event.status)
        return { lead: event.message, rest: event.operation, reason: 'err', word: differs ?? word }
      }
      return {
        lead: event.operation,
        rest: link ? formatAmount(link.amount) : event.message,
        note: link?.note ?? '',
        ...(differs !== undefined && { word: differs }),
      }
    }
    case 'checkout.viewed':
      return {
        lead: event.page === 'checkout' ? 'Checkout opened' : `${capitalize(event.page)} page`,
        rest: `${event.method} ${pathOf(event.path)}`,
      }
    case 'redirect.sent': {
      const mapped = event.mappedFrom === undefined ? '' : `mapped from ${shortUrl(event.mappedFrom)}`
      return { lead: addressOf(event.location), rest: join(mapped, `status=${event.status}`) }
    }
    case 'redirect.lost':
      return { lead: 'The browser was closed', rest: addressOf(event.location), reason: 'err' }
    case 'delivery.held': {
      const { host, path } = splitUrl(event.mappedTo ?? event.target)
      const isPublic = event.hostScope === 'public'
      return {
        lead: isPublic ? `${withoutPort(host)} is a public host` : hostScopeText(event),
        rest: isPublic ? path : `${host}${path}`,
        reason: 'warn',
      }
    }
    case 'delivery.attempted': {
      const { host, path } = splitUrl(event.mappedTo ?? event.target)
      const mapped = event.mappedTo === undefined ? '' : `mapped from ${shortUrl(event.target)}`
      if (taken && !isSuccessful(taken)) {
        const what =
          taken.status === null ? (taken.error ?? 'no answer') : `your app answered ${taken.status}`
        return {
          lead: capitalize(what),
          rest: join(takenText(taken), `${host}${path}`, mapped),
          reason: 'err',
        }
      }
      if (event.state === 'delivered' || taken) {
        const replay = event.replayOf === null ? '' : `replay of delivery ${event.replayOf}`
        const via = event.via === undefined ? '' : `via ${event.via}`
        const repeat = event.possibleDuplicate ? 'possible duplicate' : ''
        const details = join(`status: ${event.status}`, replay, repeat, via, mapped)
        return isStored(event) && !taken
          ? { lead: `Stored in tunnel ${event.storedIn}`, rest: join(NO_LISTENER, path, details) }
          : { lead: `${host}${path}`, rest: join(taken ? takenText(taken) : '', details) }
      }
      const why = attemptFailure(event, findings)
      const isForGood = event.nextAttemptAt === null
      const attempts = isForGood && event.attempt > 1 ? ', gave up' : ''
      const next = isForGood ? '' : `next try in ${formatWait(event.nextAttemptAt, event.at)}`
      return {
        lead: `${why.text}${attempts}`,
        rest: join(next, why.hasHost ? path : `${host}${path}`, mapped),
        reason: isForGood ? 'err' : 'warn',
        ...(event.httpStatus === null && { word: why.word }),
      }
    }
    case 'clock.changed': {
      const ms = Date.parse(event.to) - Date.parse(event.from)
      const moved = `${ms < 0 ? 'back' : 'forward'} by ${formatDuration(Math.abs(ms))}`
      const to = formatTime(event.to, timeZone.value === 'UTC').slice(0, 8)
      const lead = Math.abs(ms) < 1_000 ? `Clock ${event.mode}` : `Clock moved ${moved}, to ${to}`
      return { lead, rest: '' }
    }
    default:
      return undefined
  }
}

interface Failure {
  readonly text: string
  readonly word: string
  /** Whether the text names the host. */
  readonly hasHost?: boolean
}

/** Why an attempt failed, in a few words. */
function attemptFailure(
  event: Extract<EventView, { type: 'delivery.attempted' }>,
  findings: readonly Finding[],
): Failure {
  const { httpStatus, error, errorCode, redirectedTo, responseText } = event
  const { host } = splitUrl(event.mappedTo ?? event.target)
  if (httpStatus === null) {
    switch (errorCode) {
      case 'connectionRefused':
        return { text: `Nothing listens on ${host}`, word: 'no answer', hasHost: true }
      case 'timeout':
        return { text: capitalize(error ?? 'no answer in time'), word: 'timeout' }
      case 'hostUnknown':
        return { text: `${host} is an unknown host`, word: 'no answer', hasHost: true }
      default:
        return { text: capitalize(error ?? 'no response'), word: 'no response' }
    }
  }
  const word = String(httpStatus)
  if (httpStatus >= 300 && httpStatus < 400) {
    const location = redirectedTo?.split('?')[0]
    return { text: location === undefined ? 'Redirected' : `Redirected to ${location}`, word }
  }
  const wantsJson = findings.some(({ code }) => code === 'receiverWantsJson')
  if (wantsJson) return { text: 'Expects JSON, not a form', word }
  return { text: plainText(responseText ?? '') || `Answered ${httpStatus}`, word }
}

/** `30 s`, `5 min`, `2 h`: how long until the next attempt. */
export function formatWait(to: string | null, from: string): string {
  const ms = Date.parse(to ?? from) - Date.parse(from)
  if (ms < 100_000) return `${Math.round(ms / 1_000)} s`
  return ms < 7_000_000 ? `${Math.round(ms / 60_000)} min` : formatDuration(ms)
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const join = (...parts: readonly string[]): string => parts.filter(Boolean).join(' · ')
const shortUrl = (url: string): string => url.replace(/^http:\/\//, '')
const pathOf = (path: string): string => path.split('?')[0]!
const withoutPort = (host: string): string => host.replace(/:\d+$/, '')
const addressOf = (url: string): string => pathOf(shortUrl(url))

/** Host and path of a URL, for texts that have no room for the scheme. */
export function splitUrl(url: string): { readonly host: string; readonly path: string } {
  const [, host = url, path = ''] = /^https?:\/\/([^/?]*)(.*)$/.exec(url) ?? []
  return { host, path }
}
