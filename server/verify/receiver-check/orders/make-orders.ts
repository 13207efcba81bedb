import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { type CookieJar, createCookieJar } from '../../app/orders/cookie-jar.ts'
import { isChosenByCheck } from '../../app/orders/order-template.ts'
import type { ShownTexts } from '../../app/orders/shown-texts.ts'
import type { CheckRunOptions } from '../../app/run/check-run-options.ts'
import type { SandboxPort } from '../../app/run/sandbox-port.ts'
import { placeUntilSoldOut } from './place-until-sold-out.ts'
import { createPlacing } from './place-orders.ts'
import { createSlowOrders } from './slow-orders.ts'
import { createWantedOrders, type OrderOfCase } from './wanted-orders.ts'

/**
 * Makes the orders of the cases. With `orderUrl` or `createOrder`, the app creates them. Otherwise, the check only creates
 * payment links.
 */
export function createOrders(sandbox: SandboxPort, options: CheckRunOptions, shown: ShownTexts) {
  const { orderUrl, orderBody, createOrder } = options
  const newOrder = createWantedOrders()
  const placing = createPlacing(sandbox, options, shown)
  const place = placeUntilSoldOut(placing, newOrder)
  const { appMakesOrders, canOrderAgain, canChooseNotes, submissions, links, placed, knownAccount } = placing

  const make = async (orderOfCase: OrderOfCase): Promise<CheckedOrder> =>
    place(newOrder(orderOfCase), orderOfCase)

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
    return placing.inTurn(async () => {
      const before = await sandbox.newestSeq()
      const answer = await submissions.submitPatiently(wanted)
      const [payLink] = answer.payLinks
      // If the responses usually contain the link but this one does not, the app has created none. A link that is found by its
      // time could belong to a different order.
      if (payLink === undefined && placing.showsLinks()) return undefined
      const link =
        payLink === undefined
          ? (await sandbox.seenAfter(before, order.accountId)).links.find(({ id }) => !links.has(id))
          : await sandbox.link(payLink)
      if (link === undefined) return undefined
      links.add(link, wanted, false)
      return { ...link, order: wanted.order, isRedirect: answer.location !== null }
    })
  }

  /** A customer orders, and waits for an answer, which may be an error page. */
  async function orderDuringFailure(timeoutMs: number): Promise<void> {
    if (canOrderAgain) await submissions.submitOnce(newOrder({ name: 'failed' }), timeoutMs)
  }

  /** A customer orders, and does not try again if this fails. */
  async function orderImpatiently(name: string): Promise<void> {
    if (createOrder !== undefined) return
    const wanted = newOrder({ name })
    const { payLinks } = await submissions.submitOnce(wanted)
    for (const payLink of payLinks) links.add(await sandbox.link(payLink), wanted)
  }

  return {
    make,
    ...createSlowOrders({ ...placing, make: place }, newOrder),
    again,
    linkOfAgain,
    orderDuringFailure,
    orderImpatiently,
    appMakesOrders,
    canOrderAgain,
    /** Whether the app gives its links the notes that the check chooses. */
    canChooseNotes,
    canChooseAmounts: !appMakesOrders || isChosenByCheck('amount', [orderUrl, orderBody]),
    addresses: links.addresses,
    sharedReferenceOf: links.sharedReferenceOf,
    hasPlaced: links.has,
    ageOf: links.ageOf,
    cookiesOf: ({ order = '' }: CheckedOrder): CookieJar => placed.get(order)?.cookies ?? createCookieJar(),
    /** The note that the customer of an order has written. `undefined` if the app chooses the notes itself. */
    noteOf: ({ order = '' }: Pick<CheckedOrder, 'order'>): string | undefined =>
      canChooseNotes ? placed.get(order)?.wanted.note : undefined,
    hasMade: (): boolean => placed.size > 0,
    limitCounts: submissions.limitCounts,
    submissions: submissions.count,
    /** The account of the app, if it has created an order. */
    knownAccount,
    /** The account of the links that the app creates. `undefined` for the account of the check. */
    async account(): Promise<string | undefined> {
      if (appMakesOrders && knownAccount() === undefined) await make({ name: 'account' })
      return knownAccount()
    },
  }
}

export type Orders = ReturnType<typeof createOrders>
