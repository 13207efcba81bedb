import type { EventView } from '../contract/views.ts'
import { formatAmount, formatSize, formatSpan } from './values.ts'
import { isSuccessful } from '../domain/webhooks/delivery.ts'
import { DISCONNECTED_ON_PURPOSE } from '../domain/network/tunnel.ts'
import type { FaultMark, FaultPoint } from '../domain/faults/fault.ts'
import type { EntryPoint } from '../domain/events/event-fields.ts'
import type { OriginMap } from '../domain/network/origin-map.ts'

export const kinds = [
  'api',
  'page',
  'customer',
  'redirect',
  'webhook',
  'tunnel',
  'operator',
  'diagnostic',
  'system',
] as const

export type Kind = (typeof kinds)[number]

export type Tone = 'ok' | 'err' | 'warn' | 'plain'

/** One line of the timeline. */
export interface Row {
  readonly kind: Kind
  readonly tone: Tone
  /** A symbol with a word or a number, so that colour never stands alone. */
  readonly status: string
  /** The HTTP status, where there is one. */
  readonly code: number | null
  readonly request: string
  readonly message: string
  readonly payId: number | null
  /** In milliseconds. */
  readonly took: number | null
}

/** Says what an event is, in the words of the timeline. */
export function describe(event: EventView): Row {
  const struck = 'fault' in event && event.fault ? markText(event.fault) : ''
  const told = (kind: Kind, mark: Mark, request: string, message = ''): Row => ({
    kind,
    ...mark,
    request,
    message: [message, struck].filter(Boolean).join(', '),
    payId: event.payId,
    took: 'ms' in event ? event.ms : null,
  })

  switch (event.type) {
    case 'api.request':
    case 'api.limited':
      return told('api', httpMark(event.status, event.code === 1), event.operation, event.message)
    case 'checkout.viewed':
      return told('page', httpMark(event.status), `${event.method} ${event.path}`, event.page)
    case 'link.created':
      return told('api', good('created'), 'Link created', noted(event.link.amount, event.link.note))
    case 'link.paid':
      return event.method === 'card'
        ? told('customer', good('paid'), 'Paid by card', simulated(event, formatAmount(event.amount)))
        : told('operator', good('paid'), 'Bank transfer approved', formatAmount(event.amount))
    case 'link.cancelled':
      return told('customer', plain('cancelled'), 'Payment cancelled', simulated(event))
    case 'link.declined':
      return told(
        'customer',
        bad('declined'),
        'Card declined',
        simulated(event, 'The link can be tried again'),
      )
    case 'link.deleted':
      return told('operator', plain('deleted'), 'Link deleted')
    case 'bank_transfer.initiated':
      return told('customer', waiting('awaited'), 'Bank transfer announced', simulated(event))
    case 'bank_transfer.rejected':
      return told('operator', bad('rejected'), 'Bank transfer rejected', 'The link can be paid again')
    case 'dispute.opened':
      return told('operator', waiting('disputed'), 'Dispute opened', 'Refunds are blocked meanwhile')
    case 'dispute.closed':
      return told('operator', plain(event.outcome), 'Dispute closed', `The customer ${event.outcome}`)
    case 'redirect.sent':
      return told(
        'redirect',
        { ...good('302'), code: 302 },
        `→ ${shortUrl(event.location)}`,
        meantText(event, event.status),
      )
    case 'redirect.lost':
      return told(
        'redirect',
        bad('lost'),
        `→ ${shortUrl(event.location)}`,
        meantText(event, 'The browser was closed'),
      )
    case 'delivery.queued':
      return told('webhook', waiting('queued'), shortUrl(event.target), sentText(event))
    case 'delivery.held':
      return told('webhook', waiting('held'), goalText(event), meantFor(event, event.heldReason))
    case 'delivery.delayed':
      return told(
        'webhook',
        waiting('delayed'),
        shortUrl(event.target),
        `goes ${nextSpan(event.at, event.nextAttemptAt)} later`,
      )
    case 'fault.added':
      return told('operator', waiting('armed'), `Fault on ${placeText[event.on]}`, event.script.join(', '))
    case 'fault.removed':
      return told('operator', plain('removed'), `Fault on ${placeText[event.on]}`, event.script.join(', '))
    case 'delivery.released':
      return told('operator', good('released'), 'Webhook released', shortUrl(event.target))
    case 'delivery.attempted': {
      const { httpStatus: status, error } = event
      const mark = status === null ? bad('no answer') : httpMark(status, isSuccessful({ status }))
      const said = error ?? `${sentText(event)}${event.via === undefined ? '' : `, by way of ${event.via}`}`
      const text = meantFor(event, said)
      return event.nextAttemptAt === null
        ? told('webhook', mark, goalText(event), text)
        : told('webhook', again(mark), goalText(event), `${text}, ${nextText(event.at, event.nextAttemptAt)}`)
    }
    case 'refund.requested':
      return told('api', waiting('asked'), 'Refund requested', formatAmount(event.amount))
    case 'refund.approved':
      return told('operator', good('approved'), 'Refund approved', formatAmount(event.amount))
    case 'refund.rejected':
      return told('operator', bad('rejected'), 'Refund rejected', formatAmount(event.amount))
    case 'tunnel.captured':
      return told(
        'tunnel',
        event.status === null ? waiting('forwarded') : httpMark(event.status),
        `${event.method} ${event.path}`,
        `Captured ${formatSize(event.size)}`,
      )
    case 'check.sent': {
      const mark = event.httpStatus === null ? bad('no answer') : probeMark(event.httpStatus)
      const text = meantFor(event, event.error ?? `check ${event.check ?? ''}`.trim())
      return told('webhook', mark, goalText(event), text)
    }
    case 'tunnel.answered':
      return told(
        'tunnel',
        event.status === null ? bad('no answer') : httpMark(event.status),
        `${event.method} ${event.path}`,
        [
          event.listener === null ? 'by the sandbox' : `by ${event.listener}`,
          ...(event.first ? [] : ['not what the caller got']),
          ...(event.possibleDuplicate ? ['may be a repetition'] : []),
          ...(event.error === null ? [] : [event.error]),
        ].join(', '),
      )
    case 'tunnel.changed':
      return told('operator', good('changed'), `Answer of tunnel ${event.tunnel}`, String(event.status))
    case 'tunnel.cleared':
      return told('operator', plain('emptied'), `Tunnel ${event.tunnel}`, `${event.count} forgotten`)
    case 'listener.connected':
      return told(
        'tunnel',
        good('listens'),
        `${event.tunnel} → ${shortUrl(event.to)}`,
        [event.listener, ...(event.waiting === 0 ? [] : [`${event.waiting} waited`])].join(', '),
      )
    case 'listener.lost':
      return told(
        'tunnel',
        event.reason === DISCONNECTED_ON_PURPOSE ? plain('ended') : bad('lost'),
        `Listener of ${event.tunnel}`,
        listenerText(event),
      )
    case 'listener.forgotten':
      return told('tunnel', plain('forgotten'), `Listener of ${event.tunnel}`, listenerText(event))
    case 'listener.overflowed':
      return told(
        'tunnel',
        bad('missed'),
        `Listener of ${event.tunnel}`,
        `${event.listener}: the oldest ${event.count} gave way to newer ones`,
      )
    case 'diagnostic.found':
      return told('diagnostic', DIAGNOSTIC_MARKS[event.severity], event.title, event.seen)
    case 'account.created':
      return told('system', good('created'), 'Account created', event.name)
    case 'account.changed':
      return told(
        'system',
        good('changed'),
        'Account changed',
        [event.name, event.fields.join(', ')].filter(Boolean).join(': '),
      )
    case 'account.deleted':
      return told('system', plain('deleted'), 'Account deleted', event.name)
    case 'account.reset':
      return told('operator', good('reset'), 'Account reset', event.name)
    case 'behaviors.changed':
      return told(
        'system',
        good('changed'),
        `Behaviors changed for ${event.accountId === null ? 'every account' : 'one account'}`,
        valuesText(event.values),
      )
    case 'maps.changed':
      return told('operator', good('changed'), 'Maps changed', mapsText(event.maps))
    case 'hosts.changed':
      return told(
        'operator',
        good('changed'),
        'Allowed hosts changed',
        event.allowedHosts.join(', ') || 'none',
      )
    case 'invoice.issued': {
      const { serviceMonthText, platformFee, pspFee, vat } = event.invoice
      return told(
        'system',
        good('issued'),
        `Invoice for ${serviceMonthText}`,
        formatAmount(platformFee + pspFee + vat),
      )
    }
    case 'clock.changed':
      return told('operator', good(event.mode), 'Clock set', movedText(event))
    case 'snapshot.taken':
      return told('operator', good('taken'), 'Snapshot taken', event.name)
    case 'sandbox.restored':
      return event.undo
        ? told('operator', good('undone'), 'Reset undone')
        : told('operator', good('restored'), 'Snapshot restored', event.snapshot)
    case 'sandbox.started':
      return told('system', good('started'), 'Sandbox started', `Version ${event.version}`)
    case 'sandbox.reset':
      return told('system', good('reset'), 'Sandbox reset', `To ${event.to}`)
  }
}

const listenerText = (event: { readonly listener: string; readonly reason: string }): string =>
  `${event.listener}: ${event.reason}`

/** What was asked for by hand is no fault's doing. */
const markText = ({ id, effect }: FaultMark): string => (id === null ? effect : `fault ${effect}`)

type Mark = Pick<Row, 'tone' | 'status' | 'code'>

const good = (word: string): Mark => ({ tone: 'ok', status: `✓ ${word}`, code: null })

const bad = (word: string): Mark => ({ tone: 'err', status: `✕ ${word}`, code: null })

const waiting = (word: string): Mark => ({ tone: 'warn', status: `○ ${word}`, code: null })

const plain = (word: string): Mark => ({ tone: 'plain', status: `– ${word}`, code: null })

const DIAGNOSTIC_MARKS = { error: bad('error'), warning: waiting('warning'), hint: plain('hint') }

/** It failed, and nothing is lost yet. */
const again = ({ status, code }: Mark): Mark => ({ tone: 'warn', status: status.replace('✕', '↻'), code })

const httpMark = (code: number, isGood = code >= 200 && code < 400): Mark => ({
  ...(isGood ? good : bad)(String(code)),
  code,
})

/** Whether an answer is the right one the check says; a refusal may well be. */
const probeMark = (code: number): Mark =>
  code >= 400 && code < 500 ? { ...plain(String(code)), code } : httpMark(code)

/** Says whether it was a button here that did what a customer does at the checkout. */
const simulated = ({ door }: { readonly door: EntryPoint }, text = ''): string =>
  [text, door === 'control' ? 'simulated' : ''].filter(Boolean).join(', ')

const noted = (amount: number, note: string): string =>
  note === '' ? formatAmount(amount) : `${formatAmount(amount)}, ${note}`

/** What a webhook says of the payment, which is not what came of the webhook. */
function sentText(event: Extract<EventView, { deliveryId: number }>): string {
  const { status, replayOf, reason } = event
  return [
    `says ${status}`,
    ...(replayOf === null ? [] : [reason]),
    ...('possibleDuplicate' in event && event.possibleDuplicate ? ['may be a repetition'] : []),
  ].join(', ')
}

interface Mapped {
  readonly target: string
  readonly mappedTo?: string
}

/** Where a webhook really goes, which is what a narrow row has room for. */
const goalText = ({ target, mappedTo }: Mapped): string =>
  mappedTo === undefined ? shortUrl(target) : `→ ${shortUrl(mappedTo)}`

const meantFor = ({ target, mappedTo }: Mapped, text: string): string =>
  meantText(mappedTo === undefined ? {} : { mappedFrom: target }, text)

/** Said first, so that nothing that is cut off looks as if it went where it was meant to. */
const meantText = ({ mappedFrom }: { readonly mappedFrom?: string }, text: string): string =>
  mappedFrom === undefined ? text : `mapped from ${shortUrl(mappedFrom)}, ${text}`

const mapsText = (maps: readonly OriginMap[]): string =>
  maps.map(({ from, to }) => `${shortUrl(from)} → ${shortUrl(to)}`).join(', ') || 'none'

const nextSpan = (at: string, nextAttemptAt: string): string =>
  formatSpan(Date.parse(nextAttemptAt) - Date.parse(at))

const nextText = (at: string, nextAttemptAt: string): string =>
  `next attempt after ${nextSpan(at, nextAttemptAt)}`

const valuesText = (values: Readonly<Record<string, string | null>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value ?? 'default'}`)
    .join(', ')

function movedText({ from, to }: { readonly from: string; readonly to: string }): string {
  const ms = Date.parse(to) - Date.parse(from)
  return Math.abs(ms) < 1_000 ? '' : `${formatSpan(Math.abs(ms))} ${ms > 0 ? 'forward' : 'back'}`
}

/** Plain HTTP is what everybody has here, so only the other scheme is worth its place. */
const shortUrl = (url: string): string => url.replace(/^http:\/\//, '')

/** Where a fault strikes, for people. */
export const placeText: Readonly<Record<FaultPoint, string>> = {
  api: 'calls',
  webhook: 'webhooks',
  redirect: 'redirects',
}
