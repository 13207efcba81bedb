import { randomUUID } from 'node:crypto'
import { truncate } from '../domain/text/truncate.ts'
import type { SandboxPort } from './sandbox-port.ts'
import type { CheckCase } from './check-case.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { CheckError } from './check-error.ts'
import type { CheckedOrder } from '../contract/check.ts'
import { requestApp } from './request-app.ts'

const AMOUNT = 42.5
const LINK_TIMEOUT_MS = 5_000

/** Makes the orders that cases are about: the app does, where it is told how, else the battery makes a link alone. */
export function createOrders(sandbox: SandboxPort, options: CheckRunOptions) {
  const { orderUrl, createOrder } = options
  const appMakesOrders = orderUrl !== undefined || createOrder !== undefined
  /** The account that the app has, once an order has told. */
  let account: string | undefined

  async function make({ name, wantedOrder }: Pick<CheckCase, 'name' | 'wantedOrder'>): Promise<CheckedOrder> {
    if (!appMakesOrders) {
      return sandbox.createLink({
        amount: wantedOrder?.amount ?? AMOUNT,
        note: uniqueNote(name, wantedOrder?.note),
      })
    }
    const before = await sandbox.newestSeq()
    const told = await placeOrder()
    const made = await (told === undefined
      ? sandbox.waitForLink(before, account, LINK_TIMEOUT_MS)
      : sandbox.link(told))
    if (made === undefined) {
      throw new CheckError(
        `${orderUrl ?? 'createOrder'} made an order, but no link came of it within ${LINK_TIMEOUT_MS / 1000} s. Point the app at this sandbox, with the key of one of its accounts.`,
      )
    }
    account = made.accountId
    return made
  }

  /** Lets the app make an order. Gives the link, where the answer tells. */
  async function placeOrder(): Promise<string | number | undefined> {
    try {
      return createOrder ? linkRefIn(await createOrder()) : await postOrder(orderUrl!, options)
    } catch (error) {
      if (error instanceof CheckError) throw error
      throw new CheckError(
        `No order could be made: ${error instanceof Error ? error.message : String(error)}.`,
      )
    }
  }

  return {
    make,
    appMakesOrders,
    /** The account whose links the app makes; `undefined` for the battery's own. */
    async account(): Promise<string | undefined> {
      if (appMakesOrders && account === undefined) await make({ name: 'account' })
      return account
    },
  }
}

export type Orders = ReturnType<typeof createOrders>

async function postOrder(
  orderUrl: string,
  { orderBody = '', ...run }: CheckRunOptions,
): Promise<string | undefined> {
  const { status, location, text } = await requestApp(orderUrl, orderBody, run)
  if (status >= 400) {
    const said = truncate(text.replace(/\s+/g, ' ').trim(), 120)
    throw new CheckError(
      `${orderUrl} answered ${status}${said === '' ? '' : ` ${JSON.stringify(said)}`} where an order was to be made. Name where orders are made, and give what it takes as the order body.`,
    )
  }
  return findPayLink(`${location ?? ''}\n${text}`)
}

/** A pay link in an answer, whatever else is in it. */
const findPayLink = (text: string): string | undefined =>
  /https?:\/\/[^\s"'<>\\]+\/payment\?link_id=[\w%+/=-]+/.exec(text)?.[0]

function linkRefIn(told: unknown): string | number | undefined {
  if (typeof told === 'string' || typeof told === 'number') return told
  const id: unknown = typeof told === 'object' && told !== null && 'id' in told ? told.id : undefined
  return typeof id === 'number' ? id : undefined
}

/** Each is of one order only, also where the app remembers those of the run before. */
const uniqueNote = (name: string, wish: string | undefined): string =>
  wish === '' ? '' : `${wish ?? `check ${name}`} ${randomUUID().slice(0, 8)}`
