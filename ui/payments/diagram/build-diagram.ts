import type { EventView } from '../../../server/contract/views.ts'
import { isForged } from '../../../server/domain/faults/fault.ts'
import { isStored, isSuccessful } from '../../../server/domain/webhooks/delivery.ts'
import {
  describeEvent,
  hostAndPort,
  NO_LISTENER,
  fetchedText,
} from '../../../server/contract/format/describe-event.ts'
import type { Tone } from '../../../server/contract/format/event-row.ts'
import { formatAmount, formatShortDuration } from '../../../server/contract/format/values.ts'
import { listenerAnswers, type AnswerEvent } from '../../../server/contract/format/listener-answers.ts'
import { eventOfCall } from '../caused-events.ts'

export type Lane = 'app' | 'sandbox' | 'customer' | 'receiver'

/** A text beside an arrow. */
export interface Label {
  readonly text: string
  /** A shorter form for narrow diagrams. */
  readonly brief: string
  readonly tone: Tone
}

interface ItemBase {
  /** The event that the item links to. */
  readonly seq: number
  readonly at: string
  /** The item in one sentence. */
  readonly sentence: string
  /** Items with the same group belong together. There are gaps between groups. */
  readonly group: string
}

/** A call of the API: a request and its answer. */
export interface CallItem extends ItemBase {
  readonly kind: 'call'
  readonly from: Lane
  readonly to: Lane
  readonly label: Label
  readonly answer: Label
}

/** An attempt to deliver a webhook, or a webhook that was not sent. */
export interface AttemptItem extends ItemBase {
  readonly kind: 'attempt'
  readonly label: Label
  readonly answer: Label
  readonly isSent: boolean
  readonly isAnswered: boolean
  /** The wait before the attempt, if the previous item is the previous attempt: `waits 30 s`. */
  readonly wait: string | null
  /** When the next attempt is due, if no later item shows it. */
  readonly nextAttemptAt: string | null
}

export interface StepItem extends ItemBase {
  readonly kind: 'step'
  readonly from: Lane
  readonly to: Lane
  readonly label: Label
}

/** Something that happens only in the sandbox, such as a decision of the operator. */
export interface NoteItem extends ItemBase {
  readonly kind: 'note'
  readonly label: Label
}

/** A move of the clock. */
interface ClockItem extends ItemBase {
  readonly kind: 'clock'
  readonly text: string
}

export type DiagramItem = CallItem | AttemptItem | StepItem | NoteItem | ClockItem

type EventOf<Type extends EventView['type']> = Extract<EventView, { type: Type }>
type DeliveryEvent = Extract<EventView, { deliveryId: number }>

/**
 * Turns the events of a payment, oldest first, into the items of a sequence diagram. Changes of the clock are shown only between
 * two items.
 */
export function buildDiagram(
  events: readonly EventView[],
  clockChanges: readonly EventOf<'clock.changed'>[] = [],
): readonly DiagramItem[] {
  const context = createContext(events)
  const items: DiagramItem[] = []
  /** For each type of event that a call may have caused, the position of the newest item. */
  const caused = new Map<EventView['type'], number>()
  let moves = clockChanges.filter(({ from, to }) => Math.abs(shiftOf(from, to)) >= 1_000)

  for (const event of events) {
    const item = toItem(event, context)
    if (!item) continue
    if (event.type === 'api.request' && event.code === 1) {
      const type = eventOfCall[event.operation]
      const position = type && caused.get(type)
      if (position !== undefined) {
        items[position] = item
        continue
      }
    }
    const due = moves.filter((move) => isBefore(move, event))
    if (items.length > 0 && due.length > 0) items.push(clockItem(due))
    moves = moves.filter((move) => move.seq > event.seq && !due.includes(move))
    caused.set(event.type, items.length)
    items.push(item)
  }
  return items.map((item, index) => (item.kind === 'attempt' ? withWait(item, items, index) : item))
}

/** What the text of an event depends on, in addition to the event. */
interface Context {
  /** The part of the URL that tells the targets of the payment apart. `null` if there is only one target. */
  readonly targetPart: 'host' | 'path' | null
  /** The deliveries that have an event after `delivery.queued`. */
  readonly startedDeliveries: ReadonlySet<number>
  /** For each delivery, the answer of the listener that fetched it. */
  readonly listenerAnswers: ReadonlyMap<number, AnswerEvent>
}

function createContext(events: readonly EventView[]): Context {
  const targets = new Set<string>()
  const startedDeliveries = new Set<number>()
  for (const event of events) {
    if (!('deliveryId' in event)) continue
    targets.add(event.target)
    if (event.type !== 'delivery.queued') startedDeliveries.add(event.deliveryId)
  }
  const hosts = new Set([...targets].map(hostAndPort))
  const targetPart = hosts.size > 1 ? 'host' : targets.size > 1 ? 'path' : null
  return { targetPart, startedDeliveries, listenerAnswers: listenerAnswers(events) }
}

const sameLabel = (text: string, tone: Tone): Label => ({ text, brief: text, tone })

function toItem(event: EventView, context: Context): DiagramItem | undefined {
  const { seq, at } = event
  const customer = (text: string, tone: Tone, sentence: string, brief = text): StepItem => ({
    kind: 'step',
    seq,
    at,
    group: 'customer',
    from: 'customer',
    to: 'sandbox',
    label: { text, brief, tone },
    sentence: `${sentence}${'entryPoint' in event && event.entryPoint === 'control' ? ', simulated' : ''}.`,
  })

  switch (event.type) {
    // The diagram has no item for these events. It shows them with another event, or with the answer of a webhook.
    case 'diagnostic.found':
    case 'tunnel.captured':
    case 'tunnel.answered':
      return undefined
    case 'api.request':
    case 'api.limited':
      return callItem(event)
    case 'checkout.viewed': {
      const tone = event.status < 400 ? 'plain' : 'err'
      return customer(`opens ${event.page}`, tone, `The customer opens the page ${event.page}`, 'opens page')
    }
    case 'link.paid':
      if (event.method !== 'card') return noteItem(event)
      return customer(
        `pays ${formatAmount(event.amount)}`,
        'plain',
        `The customer pays ${formatAmount(event.amount)} by card`,
        formatAmount(event.amount),
      )
    case 'link.cancelled':
      if (event.entryPoint === 'api') return noteItem(event)
      return customer('cancels', 'plain', 'The customer cancels the payment')
    case 'link.declined':
      return customer('card declined', 'err', 'The bank declines the card of the customer')
    case 'bank_transfer.initiated':
      return customer('starts transfer', 'warn', 'The customer starts a bank transfer')
    case 'redirect.sent':
    case 'redirect.lost':
      return redirectItem(event)
    case 'delivery.queued':
      return context.startedDeliveries.has(event.deliveryId)
        ? undefined
        : unsentItem(event, 'queued', context)
    case 'delivery.held':
      return unsentItem(event, 'held', context)
    case 'delivery.delayed':
      return unsentItem(event, 'delayed', context)
    case 'delivery.attempted':
      return isStored(event) ? storedItem(event, context) : attemptItem(event, context)
    default:
      return noteItem(event)
  }
}

function callItem(event: EventOf<'api.request' | 'api.limited'>): CallItem {
  const isGood = event.code === 1
  const status = isGood ? String(event.status) : `${event.status} · code ${event.code}`
  const created = isGood && eventOfCall[event.operation] === 'link.created' && event.payId !== null
  return {
    kind: 'call',
    seq: event.seq,
    at: event.at,
    group: `call ${event.seq}`,
    from: 'app',
    to: 'sandbox',
    label: {
      text: event.operation,
      brief: shorten(event.operation, MAX_BRIEF_OPERATION),
      tone: 'plain',
    },
    answer: {
      text: created ? `${status} · pay_id ${event.payId}` : status,
      brief: created ? `${status} · ${event.payId}` : status,
      tone: isGood ? 'ok' : 'err',
    },
    sentence: `Your app calls ${event.operation}. The sandbox answers ${status}${isGood ? '' : `: ${event.message}`}.`,
  }
}

function redirectItem(event: EventOf<'redirect.sent' | 'redirect.lost'>): StepItem {
  const isLost = event.type === 'redirect.lost'
  const text = `302 to ${pathOf(event.location)}`
  return {
    kind: 'step',
    seq: event.seq,
    at: event.at,
    group: 'customer',
    from: 'sandbox',
    to: 'customer',
    label: sameLabel(isLost ? `${text}, lost` : text, isLost ? 'err' : 'ok'),
    sentence: isLost
      ? `The browser is closed, so the redirect to ${event.location} is lost.`
      : `The sandbox redirects the browser to ${event.location}.`,
  }
}

const titles = {
  outcome: 'webhook',
  resend: 'resent',
  replay: 'replay',
  duplicate: 'duplicate',
  forged: 'forged webhook',
} as const

/** The kind of a webhook. A replay of a forged or changed webhook has different bytes from the payment's own webhook. */
const titleOf = ({ cause, fault }: DeliveryEvent): string =>
  cause === 'replay' && isForged(fault) ? 'changed replay' : titles[cause]

/** The tone of an answer. To a forged or changed webhook, no answer is good or bad. */
const answerTone = (event: DeliveryEvent, tone: Tone): Tone => (isForged(event.fault) ? 'plain' : tone)

/** The request of a webhook. If there are several targets, contains the host or the path of this one. */
function webhookLabel(event: DeliveryEvent, attempt: number, { targetPart }: Context): Label {
  const what = attempt > 1 ? `attempt ${attempt}` : titleOf(event)
  const target =
    targetPart === null
      ? ''
      : targetPart === 'host'
        ? shortHost(event.target)
        : shorten(pathOf(event.target), MAX_HOST)
  const place = target || (attempt > 1 ? '' : event.status)
  return {
    text: [what, place].filter(Boolean).join(' '),
    brief: isForged(event.fault) ? (event.cause === 'replay' ? 'changed' : 'forged') : target,
    tone: 'plain',
  }
}

const webhookBase = (event: DeliveryEvent) => ({
  kind: 'attempt' as const,
  seq: event.seq,
  at: event.at,
  group: `delivery ${event.deliveryId}`,
  wait: null,
  nextAttemptAt: null,
})

function unsentItem(
  event: DeliveryEvent,
  state: 'queued' | 'held' | 'delayed',
  context: Context,
): AttemptItem {
  const delay =
    event.type === 'delivery.delayed'
      ? ` ${formatShortDuration(Date.parse(event.nextAttemptAt) - Date.parse(event.at))}`
      : ''
  return {
    ...webhookBase(event),
    label: webhookLabel(event, 1, context),
    answer: sameLabel(`${state}${delay}`, 'warn'),
    isSent: false,
    isAnswered: false,
    sentence: `The ${titleOf(event)} ${event.status} to ${event.target} is ${state}${delay && ` by${delay}`}.`,
  }
}

function attemptItem(event: EventOf<'delivery.attempted'>, context: Context): AttemptItem {
  const isDelivered = event.httpStatus !== null && isSuccessful({ status: event.httpStatus })
  const isFinal = event.nextAttemptAt === null
  const answer = answerOf(event)
  const gaveUp = !isDelivered && isFinal && event.attempt > 1 ? ', gave up' : ''
  const next = isFinal
    ? ''
    : ` The next attempt follows after ${formatShortDuration(Date.parse(event.nextAttemptAt) - Date.parse(event.at))}.`
  const answered =
    event.httpStatus === null
      ? `gets no answer: ${event.error ?? 'no answer'}`
      : `is answered ${answer}${gaveUp && ', the sandbox gives up'}`
  return {
    ...webhookBase(event),
    label: webhookLabel(event, event.attempt, context),
    answer: sameLabel(`${answer}${gaveUp}`, answerTone(event, isDelivered ? 'ok' : isFinal ? 'err' : 'warn')),
    isSent: true,
    isAnswered: event.httpStatus !== null,
    nextAttemptAt: event.nextAttemptAt,
    sentence: `Attempt ${event.attempt} of the ${titleOf(event)} ${event.status} to ${event.target} ${answered}.${next}`,
  }
}

/** A webhook that a tunnel has stored. It gets to the receiver when a listener fetches it. */
function storedItem(event: EventOf<'delivery.attempted'>, context: Context): AttemptItem {
  const listenerAnswer = context.listenerAnswers.get(event.deliveryId)
  const answer = listenerAnswer === undefined ? '' : String(listenerAnswer.status ?? 'no answer')
  const sentence = `The ${titleOf(event)} ${event.status} to ${event.target} is stored in tunnel ${event.storedIn}, because ${NO_LISTENER}.`
  return {
    ...webhookBase(event),
    label: webhookLabel(event, event.attempt, context),
    answer: listenerAnswer
      ? {
          text: `${answer}, fetched later`,
          brief: answer,
          tone: answerTone(event, isSuccessful(listenerAnswer) ? 'ok' : 'err'),
        }
      : sameLabel('stored', 'plain'),
    isSent: listenerAnswer !== undefined,
    isAnswered: listenerAnswer !== undefined && listenerAnswer.status !== null,
    sentence: listenerAnswer
      ? `${sentence} Later it is ${fetchedText(listenerAnswer)}, and your app answers: ${answer}.`
      : sentence,
  }
}

/** `302 to /login`, `500`, `timeout` or `no answer`. */
function answerOf({ httpStatus, errorCode, redirectedTo }: EventOf<'delivery.attempted'>): string {
  if (httpStatus === null) return errorCode === 'timeout' ? 'timeout' : 'no answer'
  if (redirectedTo === undefined) return String(httpStatus)
  return `${httpStatus} to ${redirectedTo.replace(/^https?:\/\/[^/\s]+(?=\/)/, '')}`
}

function noteItem(event: EventView): NoteItem {
  const { lead, rest, tone } = describeEvent(event)
  const text = 'amount' in event ? `${lead} ${formatAmount(event.amount)}` : lead
  return {
    kind: 'note',
    seq: event.seq,
    at: event.at,
    group: 'note',
    label: sameLabel(text, tone === 'ok' ? 'plain' : tone),
    sentence: `${[lead, rest].filter(Boolean).join(', ')}.`,
  }
}

/** Whether a move of the clock began before an event. The move is recorded after the events that fell due during it. */
const isBefore = ({ seq, from, to }: EventOf<'clock.changed'>, event: EventView): boolean =>
  seq < event.seq || (event.at > from && event.at <= to)

const shiftOf = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

/** One item for consecutive moves of the clock. It links to the last of them. */
function clockItem(moves: readonly EventOf<'clock.changed'>[]): ClockItem {
  const { seq, at } = moves.at(-1)!
  const ms = moves.reduce((sum, { from, to }) => sum + shiftOf(from, to), 0)
  const text = `Clock moved ${ms < 0 ? 'back' : 'forward'} by ${formatShortDuration(Math.abs(ms))}`
  return { kind: 'clock', seq, at, group: 'clock', text, sentence: `${text}.` }
}

/** Adds the wait before an attempt, if the previous item is the previous attempt. */
function withWait(item: AttemptItem, items: readonly DiagramItem[], index: number): AttemptItem {
  const previous = items[index - 1]
  const next = items.slice(index + 1).some((later) => later.kind === 'attempt' && later.group === item.group)
  const due =
    previous?.kind === 'attempt' && previous.group === item.group && previous.isSent
      ? previous.nextAttemptAt
      : null
  const wait =
    due === null ? null : `waits ${formatShortDuration(Date.parse(due) - Date.parse(previous!.at))}`
  return { ...item, wait, nextAttemptAt: next ? null : item.nextAttemptAt }
}

/** Longer hosts do not fit into a label. */
const MAX_HOST = 24
const MAX_BRIEF_OPERATION = 16

const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text

const shortHost = (url: string): string => shorten(hostAndPort(url), MAX_HOST)

const pathOf = (url: string): string => {
  const path = url.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/, '')
  return path === '' || path === '/' ? hostAndPort(url) : path
}
