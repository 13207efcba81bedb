import { randomUUID } from 'node:crypto'
import { truncate } from '../domain/text/truncate.ts'
import type { SandboxPort } from './sandbox-port.ts'
import type { CheckCase } from './check-case.ts'
import type { CheckRun } from './check-run.ts'
import { CheckProblem } from './check-error.ts'
import type { CheckedOrder } from '../contract/check.ts'
import { visit } from './http-get.ts'

const AMOUNT = 42.5
const LINK_PATIENCE_MS = 5_000

/** Makes the orders that cases are about: the app does, where it is told how, else the battery makes a link alone. */
export function createOrders(bench: SandboxPort, options: CheckRun) {
  const { orderUrl, createOrder } = options
  const appMakesOrders = orderUrl !== undefined || createOrder !== undefined
  /** The account that the app has, once an order has told. */
  let account: string | undefined

  async function make({ name, order }: Pick<CheckCase, 'name' | 'order'>): Promise<CheckedOrder> {
    if (!appMakesOrders) {
      return bench.createLink({ amount: order?.amount ?? AMOUNT, note: noteOf(name, order?.note) })
    }
    const before = await bench.head()
    const told = await place()
    const made = await (told === undefined
      ? bench.linkAfter(before, account, LINK_PATIENCE_MS)
      : bench.link(told))
    if (made === undefined) {
      throw new CheckProblem(
        `${orderUrl ?? 'createOrder'} made an order, but no link came of it within ${LINK_PATIENCE_MS / 1000} s. Point the app at this sandbox, with the key of one of its accounts.`,
      )
    }
    account = made.accountId
    return made
  }

  /** Lets the app make an order. Gives the link, where the answer tells. */
  async function place(): Promise<string | number | undefined> {
    try {
      return createOrder ? linkIn(await createOrder()) : await postOrder(orderUrl!, options)
    } catch (error) {
      if (error instanceof CheckProblem) throw error
      throw new CheckProblem(
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
  { orderBody = '', ...run }: CheckRun,
): Promise<string | undefined> {
  const { status, location, text } = await visit(orderUrl, orderBody, run)
  if (status >= 400) {
    const said = truncate(text.replace(/\s+/g, ' ').trim(), 120)
    throw new CheckProblem(
      `${orderUrl} answered ${status}${said === '' ? '' : ` ${JSON.stringify(said)}`} where an order was to be made. Name where orders are made, and give what it takes as the order body.`,
    )
  }
  return payLinkIn(`${location ?? ''}\n${text}`)
}

/** A pay link in an answer, whatever else is in it. */
const payLinkIn = (text: string): string | undefined =>
  /https?:\/\/[^\s"'<>\\]+\/payment\?link_id=[\w%+/=-]+/.exec(text)?.[0]

function linkIn(told: unknown): string | number | undefined {
  if (typeof told === 'string' || typeof told === 'number') return told
  const id: unknown = typeof told === 'object' && told !== null && 'id' in told ? told.id : undefined
  return typeof id === 'number' ? id : undefined
}

/** Each is of one order only, also where the app remembers those of the run before. */
const noteOf = (name: string, wish: string | undefined): string =>
  wish === '' ? '' : `${wish ?? `check ${name}`} ${randomUUID().slice(0, 8)}`
