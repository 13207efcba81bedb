import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { type CookieJar, createCookieJar } from '../../app/orders/cookie-jar.ts'
import { isChosenByCheck, type WantedOrder } from '../../app/orders/order-template.ts'
import type { ShownTexts } from '../../app/orders/shown-texts.ts'
import {
  callRefused,
  CheckError,
  describeRefusedCall,
  NoOrderError,
  SharedLinkError,
} from '../../app/run/check-error.ts'
import type { CheckRunOptions } from '../../app/run/check-run-options.ts'
import type { SandboxPort } from '../../app/run/sandbox-port.ts'
import { createLinksOfOrders } from './links-of-orders.ts'
import { createSubmissions } from './submit-orders.ts'
import type { OrderOfCase } from './wanted-orders.ts'

export const LINK_TIMEOUT_MS = 5_000

type Circumstances = Pick<OrderOfCase, 'isNoteShared' | 'isAlone' | 'customer'>

interface PlacedOrder {
  readonly wanted: WantedOrder
  readonly cookies: CookieJar
}

/** Places orders, and finds the links that the app creates for them. */
export function createPlacing(sandbox: SandboxPort, options: CheckRunOptions, shown: ShownTexts) {
  const { orderUrl, createOrder, orderBody } = options
  const appMakesOrders = orderUrl !== undefined || createOrder !== undefined
  const canOrderAgain = orderUrl !== undefined && isChosenByCheck('order', [orderUrl, orderBody])
  const canChooseNotes = !appMakesOrders || isChosenByCheck('note', [orderUrl, orderBody])
  const placed = new Map<string, PlacedOrder>()
  const links = createLinksOfOrders()
  /** The account of the app. Known when the app has created an order. */
  let account: string | undefined
  /** Whether every response so far has contained the pay link of its order. If so, orders can be placed at the same time. */
  let showsLinks: boolean | undefined
  /** Whether the app sends the notes of its orders to the service. The first link shows this. */
  let passesNotes = false
  /** The `seq` of the newest event before the first order. */
  let beginning: number | undefined
  /** How many orders are being placed, and how many were placed so far. */
  let placing = 0
  let begun = 0
  let previous: Promise<unknown> = Promise.resolve()
  const submissions = createSubmissions(options, shown, () => account !== undefined)

  /** If new links are found by their time, runs tasks one after another, because two tasks could mix up their links. */
  async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    if (showsLinks) return run()
    const turn = previous.then(run, run)
    previous = turn.catch(() => undefined)
    return turn
  }

  async function make(wanted: WantedOrder, circumstances: Circumstances): Promise<CheckedOrder> {
    if (!appMakesOrders) return sandbox.createLink(wanted)
    const cookies = circumstances.customer ?? createCookieJar()
    const link = await inTurn(() => place(wanted, cookies, circumstances))
    if (link === undefined) {
      const seen = `${orderUrl ?? 'createOrder'} created an order, but the app created no payment link within ${LINK_TIMEOUT_MS / 1000} s`
      if (account !== undefined) throw new NoOrderError(seen)
      throw new CheckError(`${seen}. Point the app at this sandbox, with the key of one of its accounts.`)
    }
    passesNotes ||= account === undefined && canChooseNotes && link.note.includes(wanted.note)
    account = link.accountId
    placed.set(wanted.order, { wanted, cookies })
    return { ...link, order: wanted.order }
  }

  async function place(
    wanted: WantedOrder,
    cookies: CookieJar,
    { isNoteShared, isAlone, customer }: Circumstances,
  ): Promise<CheckedOrder | undefined> {
    const isOneOfSeveral = showsLinks === true && !isAlone
    const before = (isOneOfSeveral && !isNoteShared ? beginning : undefined) ?? (await sandbox.newestSeq())
    beginning ??= before
    const wasIdle = placing === 0
    placing += 1
    begun += 1
    const number = begun
    const ref = await submissions
      .order(wanted, cookies)
      .finally(() => (placing -= 1))
      .catch(async (error: unknown) => {
        if (error instanceof NoOrderError) await addRefusal(error, wanted, before)
        throw error
      })
    showsLinks = ref !== undefined && showsLinks !== false
    const link = await (ref === undefined
      ? sandbox.waitForLink(before, account, LINK_TIMEOUT_MS, isOf(wanted, isOneOfSeveral))
      : sandbox.link(ref))
    if (link === undefined) return undefined
    const owner = links.ownerOf(link.id)
    if (owner !== undefined && canOrderAgain && !isNoteShared) {
      throw new SharedLinkError({ ...link, order: wanted.order }, owner)
    }
    links.add(link, wanted, customer === undefined ? wasIdle && number === begun : undefined)
    return link
  }

  /** Adds to an error which call for the order the service has refused. If it was the first order, ends the check. */
  async function addRefusal(error: NoOrderError, wanted: WantedOrder, before: number): Promise<void> {
    const isFirst = account === undefined
    const own = [wanted.order, wanted.note]
    const texts = isFirst && orderUrl !== undefined ? [...own, new URL(orderUrl).host] : own
    const refusal = await sandbox.refusalAfter(before, texts, account)
    if (refusal === undefined) return
    if (isFirst) throw callRefused(refusal, error.reason)
    error.refusedCall = describeRefusedCall(refusal, wanted)
  }

  /**
   * Whether a new link can belong to an order if its response contains no link. Notes tell apart orders that are placed at the
   * same time.
   */
  const isOf =
    ({ note }: WantedOrder, isOneOfSeveral: boolean) =>
    (link: CheckedOrder): boolean =>
      !links.has(link.id) && (!isOneOfSeveral || (passesNotes && note !== '' && link.note.includes(note)))

  return {
    sandbox,
    options,
    appMakesOrders,
    canOrderAgain,
    canChooseNotes,
    submissions,
    links,
    placed,
    inTurn,
    make,
    knownAccount: (): string | undefined => account,
    showsLinks: (): boolean => showsLinks === true,
  }
}

export type Placing = ReturnType<typeof createPlacing>
