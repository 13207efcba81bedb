import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { reasonOf } from '../../../domain/text/reason-of.ts'
import { quoteText } from '../../../domain/text/quote-text.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import {
  callRefused,
  CheckError,
  describeRefusedCall,
  NoOrderError,
  SharedLinkError,
} from '../../app/run/check-error.ts'
import type { CheckRunOptions } from '../../app/run/check-run-options.ts'
import { type CookieJar, createCookieJar } from '../../app/orders/cookie-jar.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { isChosenByCheck, type WantedOrder } from '../../app/orders/order-template.ts'
import { createPace } from '../../app/orders/pace.ts'
import { createLimit } from '../../app/run/run-side-by-side.ts'
import type { ShownTexts } from '../../app/orders/shown-texts.ts'
import type { SandboxPort } from '../../app/run/sandbox-port.ts'
import type { AddedFields } from '../../app/state/read-order-state.ts'
import { createLinkAddresses } from '../../app/orders/link-addresses.ts'
import { createReferences } from './references.ts'
import { orderHint, submitOrder } from '../../app/orders/submit-order.ts'

const AMOUNT = 42.5
const LINK_TIMEOUT_MS = 5_000

const REPETITION_PAUSE_MS = 500

/** Statuses that mean that the app cannot accept the order at the moment. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])
/** Statuses that mean that the app still works on the order, or is busy. */
const UNDERWAY: ReadonlySet<number> = new Set([409, 423, 425, 429])
const MAX_TRIES = 4
/** How many times an order is tried again. After failures of the service, an app may pause its calls for some seconds. */
const MAX_TRIES_LATER = 12

const MAX_AT_ONCE = 10

/** How long the response is delayed, so that a webhook arrives before it. */
export const ANSWER_DELAY_MS = 1_500

export interface OrderOfCase {
  readonly name: string
  /** The name of the order in the app, if the caller has chosen it. */
  readonly orderName?: string
  readonly wantedOrder?: { readonly amount?: number | undefined; readonly note?: string | undefined }
  readonly added?: AddedFields
  /** Whether another order may have the same note. */
  readonly isNoteShared?: true
  /** Whether the app creates no other link meanwhile. If the response contains no link, the next link belongs to the order. */
  readonly isAlone?: true
  /** The cookies of a customer who has ordered before. By default, each order has a new customer. */
  readonly customer?: CookieJar
}

interface PlacedOrder {
  readonly wanted: WantedOrder
  readonly cookies: CookieJar
}

/**
 * Makes the orders of the cases. With `orderUrl` or `createOrder`, the app creates them. Otherwise, the check only creates
 * payment links.
 */
export function createOrders(sandbox: SandboxPort, options: CheckRunOptions, shown: ShownTexts) {
  const { orderUrl, createOrder } = options
  const appMakesOrders = orderUrl !== undefined || createOrder !== undefined
  const page = { orderUrl: orderUrl ?? '', options, shown, confirmations: undefined }
  const placed = new Map<string, PlacedOrder>()
  /** The account of the app. Known when the app has created an order. */
  let account: string | undefined
  /** Whether every response so far has contained the pay link of its order. If so, orders can be placed at the same time. */
  let showsLinks: boolean | undefined
  /** Whether the app sends the notes of its orders to the service. The first link shows this. */
  let passesNotes = false
  const canOrderAgain = orderUrl !== undefined && isChosenByCheck('order', [orderUrl, options.orderBody])
  const canChooseNotes = !appMakesOrders || isChosenByCheck('note', [orderUrl, options.orderBody])
  /** The `seq` of the newest event before the first order. */
  let beginning: number | undefined
  /** The ids of the links that belong to an order, with the name of the order. */
  const taken = new Map<number, string>()
  /** When the link of an order became known, according to `performance.now()`. */
  const madeAt = new Map<number, number>()
  const references = createReferences()
  const addresses = createLinkAddresses()
  /** How many orders are being placed, and how many were placed so far. */
  let placing = 0
  let begun = 0
  const newName = createNames()
  let previous: Promise<unknown> = Promise.resolve()
  let submissions = 0
  const atMost = createLimit(MAX_AT_ONCE)
  const pace = createPace(options.signal)

  /** If new links are found by their time, runs tasks one after another, because two tasks could mix up their links. */
  async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    if (showsLinks) return run()
    const turn = previous.then(run, run)
    previous = turn.catch(() => undefined)
    return turn
  }

  async function make({
    name,
    wantedOrder,
    added,
    isNoteShared,
    isAlone,
    customer,
    orderName = newName(),
  }: OrderOfCase): Promise<CheckedOrder> {
    const note =
      isNoteShared && wantedOrder?.note !== undefined ? wantedOrder.note : uniqueNote(name, wantedOrder?.note)
    const order = { order: orderName, amount: wantedOrder?.amount ?? AMOUNT, note, added }
    if (!appMakesOrders) return sandbox.createLink(order)
    const cookies = customer ?? createCookieJar()
    const link = await inTurn(() =>
      place(order, cookies, { isNoteShared, isAlone, isKnown: customer !== undefined }),
    )
    if (link === undefined) {
      const seen = `${orderUrl ?? 'createOrder'} created an order, but the app created no payment link within ${LINK_TIMEOUT_MS / 1000} s`
      if (account !== undefined) throw new NoOrderError(seen)
      throw new CheckError(`${seen}. Point the app at this sandbox, with the key of one of its accounts.`)
    }
    passesNotes ||= account === undefined && canChooseNotes && link.note.includes(note)
    account = link.accountId
    placed.set(order.order, { wanted: order, cookies })
    return { ...link, order: order.order }
  }

  async function place(
    wanted: WantedOrder,
    cookies: CookieJar,
    {
      isNoteShared,
      isAlone,
      isKnown,
    }: { isNoteShared: true | undefined; isAlone: true | undefined; isKnown: boolean },
  ): Promise<CheckedOrder | undefined> {
    const wereShown = showsLinks === true
    const isOneOfSeveral = wereShown && !isAlone
    const before = (isOneOfSeveral && !isNoteShared ? beginning : undefined) ?? (await sandbox.newestSeq())
    beginning ??= before
    const wasIdle = placing === 0
    placing += 1
    begun += 1
    const number = begun
    const ref = await orderOnce(wanted, cookies)
      .finally(() => (placing -= 1))
      .catch(async (error: unknown) => {
        if (!(error instanceof NoOrderError)) throw error
        const isFirst = account === undefined
        const own = [wanted.order, wanted.note]
        const texts = isFirst && orderUrl !== undefined ? [...own, new URL(orderUrl).host] : own
        const refusal = await sandbox.refusalAfter(before, texts, account)
        if (refusal === undefined) throw error
        if (isFirst) throw callRefused(refusal, error.reason)
        error.refusedCall = describeRefusedCall(refusal, wanted)
        throw error
      })
    showsLinks = ref !== undefined && showsLinks !== false
    const link = await (ref === undefined
      ? sandbox.waitForLink(before, account, LINK_TIMEOUT_MS, isOf(wanted, isOneOfSeveral))
      : sandbox.link(ref))
    if (link === undefined) return undefined
    const owner = taken.get(link.id)
    if (owner !== undefined && canOrderAgain && !isNoteShared) {
      throw new SharedLinkError({ ...link, order: wanted.order }, owner)
    }
    // Orders of one customer may have the same addresses.
    if (!isKnown && !taken.has(link.id))
      addresses.add({ ...link, order: wanted.order }, wasIdle && number === begun)
    take(link, wanted)
    return link
  }

  function take(link: CheckedOrder, wanted: WantedOrder): void {
    if (!taken.has(link.id)) madeAt.set(link.id, performance.now())
    taken.set(link.id, wanted.order)
    references.add(link, wanted)
  }

  /**
   * Whether a new link can belong to an order if its response contains no link. Notes tell apart orders that are placed at the
   * same time.
   */
  const isOf =
    ({ note }: WantedOrder, isOneOfSeveral: boolean) =>
    (link: CheckedOrder): boolean =>
      !taken.has(link.id) && (!isOneOfSeveral || (passesNotes && note !== '' && link.note.includes(note)))

  /** Returns the id or the pay link of the order, if the response contains one. */
  async function orderOnce(wanted: WantedOrder, cookies: CookieJar): Promise<string | number | undefined> {
    try {
      if (createOrder) {
        submissions += 1
        return linkRefIn(await createOrder())
      }
    } catch (error) {
      if (error instanceof CheckError) throw error
      throw new NoOrderError(reasonOf(error))
    }
    const answer = await submitPatiently(wanted, cookies)
    if (answer.error !== null)
      throw new NoOrderError(answer.error, { advice: ORDER_ADVICE, isLate: answer.isLate === true })
    if (answer.status >= 400) {
      throw new NoOrderError(describe(answer), {
        advice:
          orderHint(answer) ||
          ' Check that --order-url creates orders, and that --order-body is what it expects.',
        hasFailed: answer.status === 500,
      })
    }
    return answer.payLinks[0]
  }

  /**
   * Submits an order, and tries again while the app is busy. The check places many orders at once. The app may accept fewer, or
   * may be unable to reach the service while both are busy.
   */
  async function submitPatiently(wanted: WantedOrder, cookies: CookieJar): Promise<PageAnswer> {
    const started = performance.now()
    for (let tries = 1; ; tries += 1) {
      submissions += 1
      const answer = await pace.send(() => atMost(() => submitOrder(page, wanted, cookies)))
      const maxTries = account === undefined ? MAX_TRIES : MAX_TRIES_LATER
      const isRepeated = answer.status === 429 || (UNAVAILABLE.has(answer.status) && tries < maxTries)
      if (!isRepeated || pace.isHopeless(started)) return answer
      if (answer.status === 429 && pace.isLimited()) continue
      // The pause is random, because other cases wait for the same app.
      await pause(REPETITION_PAUSE_MS * (1 + Math.random()), undefined, { signal: options.signal })
    }
  }

  /** Like `linkOfAgain`. `undefined` also if the customer gets the same link. */
  async function again(order: CheckedOrder, amount?: number): Promise<CheckedOrder | undefined> {
    const link = await linkOfAgain(order, amount)
    return link?.id === order.id ? undefined : link
  }

  /**
   * Makes a customer order the same again in a different browser, or the same with a different amount. Returns the link that the customer
   * gets, and whether the app redirects there. `undefined` if there is none.
   */
  async function linkOfAgain(
    order: CheckedOrder,
    amount?: number,
  ): Promise<(CheckedOrder & { readonly isRedirect: boolean }) | undefined> {
    const { wanted: first } = placed.get(order.order ?? '') ?? {}
    if (first === undefined || createOrder !== undefined) return undefined
    const wanted = amount === undefined ? first : { ...first, amount }
    return inTurn(async () => {
      const before = await sandbox.newestSeq()
      const answer = await submitPatiently(wanted, createCookieJar())
      const [payLink] = answer.payLinks
      // If the responses usually contain the link but this one does not, the app has created none. A link that is found by its
      // time could belong to a different order.
      if (payLink === undefined && showsLinks) return undefined
      const link =
        payLink === undefined
          ? (await sandbox.seenAfter(before, order.accountId)).links.find(isOf(wanted, false))
          : await sandbox.link(payLink)
      if (link === undefined) return undefined
      if (!taken.has(link.id)) addresses.add({ ...link, order: wanted.order }, false)
      take(link, wanted)
      return { ...link, order: wanted.order, isRedirect: answer.location !== null }
    })
  }

  /**
   * Runs `submit` while the service delays the response with the link, and `meanwhile` as soon as the link exists. `link` is `undefined` if
   * there is none in time.
   */
  async function placeSlowly<Placed>(
    submit: () => Promise<Placed>,
    meanwhile: (link: CheckedOrder) => Promise<void>,
  ): Promise<{
    readonly placed: PromiseSettledResult<Placed>
    readonly link: CheckedOrder | undefined
  }> {
    const owner = account ?? (await make({ name: 'account' })).accountId
    const before = await sandbox.newestSeq()
    const removeDelay = await sandbox.delayAnswer(owner, ANSWER_DELAY_MS)
    try {
      // Awaits both, because if a search continued, it could find the link of the next case.
      const [outcome, found] = await Promise.allSettled([
        submit(),
        sandbox.waitForLink(before, owner, LINK_TIMEOUT_MS).then(async (link) => {
          if (link !== undefined) await meanwhile(link)
          return link
        }),
      ])
      if (found.status === 'rejected') throw found.reason
      return { placed: outcome, link: found.value }
    } finally {
      await removeDelay()
    }
  }

  /**
   * Makes the app create an order, and calls `early` while the app waits for the response with the link. If the app creates no
   * order because of the delay, returns why.
   */
  async function makeSlowly(
    orderOfCase: OrderOfCase,
    early: (link: CheckedOrder) => Promise<void>,
  ): Promise<CheckedOrder | { readonly whyNot: string }> {
    const orderName = newName()
    const { placed: order } = await placeSlowly(
      () => make({ ...orderOfCase, isAlone: true, orderName }),
      (link) => early({ ...link, order: orderName }),
    )
    if (order.status === 'fulfilled') return order.value
    if (order.reason instanceof NoOrderError) return { whyNot: order.reason.reason }
    throw order.reason
  }

  /**
   * Makes the app create an order, and calls `interrupt` while the app waits for the response with the link. Then the customer orders the same
   * again. Returns what the app answers if it fails for all this time.
   */
  async function interruptOrder(
    name: string,
    interrupt: () => Promise<void>,
    patienceMs: number,
  ): Promise<string | undefined> {
    const wanted = newOrder(name)
    const click = (): Promise<PageAnswer> => submitOnce(wanted)
    const { placed: clicked, link } = await placeSlowly(click, interrupt)
    if (clicked.status === 'rejected') throw clicked.reason
    if (link === undefined) return undefined
    take(link, wanted)
    const end = performance.now() + patienceMs
    let showsLinkAgain: boolean | undefined
    for (;;) {
      const answer = await click()
      if (answer.error === null && answer.status < 500) {
        for (const payLink of answer.payLinks) take(await sandbox.link(payLink), wanted)
        if (!lacksLink(answer)) return undefined
        showsLinkAgain ??= await showsLinkOfAgain(name)
        if (!showsLinkAgain) return undefined
      }
      if (performance.now() > end) return answer.error ?? describe(answer)
      await pause(REPETITION_PAUSE_MS, undefined, { signal: options.signal })
    }
  }

  /** Whether a customer cannot go on to pay, but is told to wait or refused. */
  const lacksLink = ({ payLinks, status }: PageAnswer): boolean =>
    payLinks.length === 0 && (showsLinks === true || UNDERWAY.has(status))

  /** Whether the app shows the link when a customer orders the same again. Some apps refuse this, or send the link in an email. */
  async function showsLinkOfAgain(name: string): Promise<boolean> {
    const { order = '' } = await make({ name, isAlone: true })
    return !lacksLink(await submitPatiently(placed.get(order)!.wanted, createCookieJar()))
  }

  const newOrder = (name: string): WantedOrder => ({
    order: newName(),
    amount: AMOUNT,
    note: uniqueNote(name, undefined),
  })

  async function submitOnce(wanted: WantedOrder, timeoutMs?: number): Promise<PageAnswer> {
    submissions += 1
    return submitOrder(page, wanted, createCookieJar(), timeoutMs)
  }

  /** A customer orders, and waits for an answer, which may be an error page. */
  async function orderDuringFailure(timeoutMs: number): Promise<void> {
    if (canOrderAgain) await submitOnce(newOrder('failed'), timeoutMs)
  }

  /** A customer orders, and does not try again if this fails. */
  async function orderImpatiently(name: string): Promise<void> {
    if (createOrder !== undefined) return
    const wanted = newOrder(name)
    const { payLinks } = await submitOnce(wanted)
    for (const payLink of payLinks) take(await sandbox.link(payLink), wanted)
  }

  return {
    make,
    orderDuringFailure,
    makeSlowly,
    orderImpatiently,
    interruptOrder,
    again,
    linkOfAgain,
    appMakesOrders,
    /** A reference of an order that another order has as well, in words. `undefined` if there is none. */
    sharedReferenceOf: references.sharedBy,
    addresses,
    canOrderAgain,
    /** Whether the app gives its links the notes that the check chooses. */
    canChooseNotes,
    canChooseAmounts: !appMakesOrders || isChosenByCheck('amount', [orderUrl, options.orderBody]),
    cookiesOf: ({ order = '' }: CheckedOrder): CookieJar => placed.get(order)?.cookies ?? createCookieJar(),
    /** The note that the customer of an order has written. `undefined` if the app chooses the notes itself. */
    noteOf: ({ order = '' }: Pick<CheckedOrder, 'order'>): string | undefined =>
      canChooseNotes ? placed.get(order)?.wanted.note : undefined,
    hasMade: (): boolean => placed.size > 0,
    hasPlaced: (id: number): boolean => taken.has(id),
    /** How old the link of an order is, and how many links are newer, in words. */
    ageOf({ id }: CheckedOrder): string {
      const made = madeAt.get(id) ?? performance.now()
      const newer = [...madeAt.values()].filter((at) => at > made).length
      return `${Math.round((performance.now() - made) / 1000)} s and ${newer} orders ago`
    },
    /** How many orders the app has refused because of their number, and how long the others had to wait. */
    limitCounts: pace.counts,
    submissions: (): number => submissions,
    /** The account of the app, if it has created an order. */
    knownAccount: (): string | undefined => account,
    /** The account of the links that the app creates. `undefined` for the account of the check. */
    async account(): Promise<string | undefined> {
      if (appMakesOrders && account === undefined) await make({ name: 'account' })
      return account
    },
  }
}

export type Orders = ReturnType<typeof createOrders>

/** The beginnings and the ends of three names. The second name differs from the first one only at its end, and the third one from the second only at its beginning. */
const ENDS = [
  ['a', 'a'],
  ['a', 'b'],
  ['b', 'b'],
] as const

/** Names orders. An app that shortens names takes some of them for one. */
function createNames(): () => string {
  const run = randomUUID().slice(0, 6)
  let count = 0
  return () => {
    const [first, last] = ENDS[count % ENDS.length]!
    const name = `${first}-check-${run}${Math.floor(count / ENDS.length)}-${last}`
    count += 1
    return name
  }
}

const ORDER_ADVICE = ' Correct --order-url and --order-body.'

function describe({ url, status, text }: PageAnswer): string {
  const answer = truncate(text.replace(/\s+/g, ' ').trim(), 120)
  return `${url} answered ${status}${answer === '' ? '' : ` ${quoteText(answer)}`}`
}

/** Reads the result of `createOrder`: a pay link, an id, or an object with an id. */
function linkRefIn(value: unknown): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'number' ? id : undefined
}

/** Each order has its own note, because the app may still know the orders of an earlier check. */
const uniqueNote = (name: string, wanted: string | undefined): string =>
  wanted === '' ? '' : `${wanted ?? `check ${name.replaceAll('-', ' ')}`} ${randomUUID().slice(0, 8)}`
