import { randomUUID } from 'node:crypto'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { CheckCase } from './check-case.ts'
import { CheckError, NoOrderError } from './check-error.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { findPayLinks } from './find-pay-links.ts'
import { fillOrderBody, fillOrderUrl, isChosenByCheck, type WantedOrder } from './order-template.ts'
import { requestApp } from './request-app.ts'
import type { SandboxPort } from './sandbox-port.ts'

const AMOUNT = 42.5
const LINK_TIMEOUT_MS = 5_000

/** Time for a webhook that arrives before the answer. */
export const ANSWER_DELAY_MS = 3_000

/**
 * Makes the orders of the cases. With `orderUrl` or `createOrder` the app makes them. Otherwise the check only creates
 * payment links.
 */
export function createOrders(sandbox: SandboxPort, options: CheckRunOptions) {
  const { orderUrl, createOrder } = options
  const appMakesOrders = orderUrl !== undefined || createOrder !== undefined
  /** The account of the app. It is known once the app has made an order. */
  let account: string | undefined

  type OrderOfCase = Pick<CheckCase, 'name' | 'wantedOrder'>

  async function make({ name, wantedOrder }: OrderOfCase): Promise<CheckedOrder> {
    if (!appMakesOrders) {
      return sandbox.createLink({
        amount: wantedOrder?.amount ?? AMOUNT,
        note: uniqueNote(name, wantedOrder?.note),
      })
    }
    const before = await sandbox.newestSeq()
    const wanted = {
      order: `check-${randomUUID().slice(0, 8)}`,
      amount: wantedOrder?.amount ?? AMOUNT,
      note: uniqueNote(name, wantedOrder?.note),
    }
    const ref = await placeOrder(wanted)
    const link = await (ref === undefined
      ? sandbox.waitForLink(before, account, LINK_TIMEOUT_MS)
      : sandbox.link(ref))
    if (link === undefined) {
      throw new CheckError(
        `${orderUrl ?? 'createOrder'} made an order, but the app created no payment link within ${LINK_TIMEOUT_MS / 1000} s. Point the app at this sandbox, with the key of one of its accounts.`,
      )
    }
    account = link.accountId
    return { ...link, order: wanted.order }
  }

  /**
   * Lets the app make an order, and calls `early` while the app waits for the answer that contains the link. Returns why
   * there is no order, if the app makes none because of the delay.
   */
  async function makeSlowly(
    orderOfCase: OrderOfCase,
    early: (link: CheckedOrder) => Promise<void>,
  ): Promise<CheckedOrder | { readonly whyNot: string }> {
    const owner = account ?? (await make({ name: 'account' })).accountId
    const before = await sandbox.newestSeq()
    const removeDelay = await sandbox.delayAnswer(owner, ANSWER_DELAY_MS)
    try {
      // Awaits both: a search left running would find the next case's link.
      const [order, sent] = await Promise.allSettled([
        make(orderOfCase),
        sandbox
          .waitForLink(before, owner, LINK_TIMEOUT_MS)
          .then((link) => (link === undefined ? undefined : early(link))),
      ])
      if (sent.status === 'rejected') throw sent.reason
      if (order.status === 'fulfilled') return order.value
      if (order.reason instanceof NoOrderError) return { whyNot: order.reason.reason }
      throw order.reason
    } finally {
      await removeDelay()
    }
  }

  /** Lets the app make an order. Returns the id or the pay link of its link, if the answer contains one. */
  async function placeOrder(order: WantedOrder): Promise<string | number | undefined> {
    try {
      return createOrder ? linkRefIn(await createOrder()) : await postOrder(orderUrl!, order, options)
    } catch (error) {
      if (error instanceof CheckError) throw error
      throw new NoOrderError(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    make,
    makeSlowly,
    appMakesOrders,
    /** Whether the app gives its links the notes that the check chooses. */
    canChooseNotes: !appMakesOrders || isChosenByCheck('note', [orderUrl, options.orderBody]),
    /** The account of the app, if it has made an order. */
    knownAccount: (): string | undefined => account,
    /** The account that the app creates links with. `undefined` for the account of the check. */
    async account(): Promise<string | undefined> {
      if (appMakesOrders && account === undefined) await make({ name: 'account' })
      return account
    },
  }
}

export type Orders = ReturnType<typeof createOrders>

async function postOrder(
  template: string,
  order: WantedOrder,
  { orderBody = '', ...options }: CheckRunOptions,
): Promise<string | undefined> {
  const orderUrl = fillOrderUrl(template, order)
  const { status, location, text } = await requestApp(orderUrl, fillOrderBody(orderBody, order), options)
  if (status >= 400) {
    const answer = truncate(text.replace(/\s+/g, ' ').trim(), 120)
    throw new NoOrderError(
      `${orderUrl} answered ${status}${answer === '' ? '' : ` ${JSON.stringify(answer)}`}`,
      ' Check that the order URL creates orders, and that the order body is what it expects.',
    )
  }
  return findPayLinks(`${location ?? ''}\n${text}`)[0]
}

/** Accepts what `createOrder` may return: a pay link, an id, or an object with an id. */
function linkRefIn(value: unknown): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'number' ? id : undefined
}

/** No two orders share a note, because the app may still know the orders of an earlier check. */
const uniqueNote = (name: string, wanted: string | undefined): string =>
  wanted === '' ? '' : `${wanted ?? `check ${name}`} ${randomUUID().slice(0, 8)}`
