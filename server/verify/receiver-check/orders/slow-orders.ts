import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import type { WantedOrder } from '../../app/orders/order-template.ts'
import { NoOrderError } from '../../app/run/check-error.ts'
import { LINK_TIMEOUT_MS, type Placing } from './place-orders.ts'
import { describeAnswer, REPETITION_PAUSE_MS } from './submit-orders.ts'
import type { OrderOfCase } from './wanted-orders.ts'

/** Statuses that mean that the app still works on the order, or is busy. */
const UNDERWAY: ReadonlySet<number> = new Set([409, 423, 425, 429])

/** How long the response is delayed, so that a webhook arrives before it. */
export const ANSWER_DELAY_MS = 1_500

/** Orders during which the service delays the response with the link. */
export function createSlowOrders(
  { sandbox, options, submissions, links, make, knownAccount, showsLinks }: Placing,
  newOrder: (orderOfCase: OrderOfCase) => WantedOrder,
) {
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
    const owner = knownAccount() ?? (await make(newOrder({ name: 'account' }), {})).accountId
    const before = await sandbox.newestSeq()
    const removeDelay = await sandbox.delayAnswer(owner, ANSWER_DELAY_MS)
    try {
      // Awaits both, because if a search continued, it could find the link of the next case.
      const [placed, found] = await Promise.allSettled([
        submit(),
        sandbox.waitForLink(before, owner, LINK_TIMEOUT_MS).then(async (link) => {
          if (link !== undefined) await meanwhile(link)
          return link
        }),
      ])
      if (found.status === 'rejected') throw found.reason
      return { placed, link: found.value }
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
    const wanted = newOrder(orderOfCase)
    const { placed } = await placeSlowly(
      () => make(wanted, { ...orderOfCase, isAlone: true }),
      (link) => early({ ...link, order: wanted.order }),
    )
    if (placed.status === 'fulfilled') return placed.value
    if (placed.reason instanceof NoOrderError) return { whyNot: placed.reason.reason }
    throw placed.reason
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
    const wanted = newOrder({ name })
    const click = (): Promise<PageAnswer> => submissions.submitOnce(wanted)
    const { placed, link } = await placeSlowly(click, interrupt)
    if (placed.status === 'rejected') throw placed.reason
    if (link === undefined) return undefined
    links.add(link, wanted)
    const end = performance.now() + patienceMs
    let showsLinkAgain: boolean | undefined
    for (;;) {
      const answer = await click()
      if (answer.error === null && answer.status < 500) {
        for (const payLink of answer.payLinks) links.add(await sandbox.link(payLink), wanted)
        if (!lacksLink(answer)) return undefined
        showsLinkAgain ??= await showsLinkOfAgain(name)
        if (!showsLinkAgain) return undefined
      }
      if (performance.now() > end) return answer.error ?? describeAnswer(answer)
      await pause(REPETITION_PAUSE_MS, undefined, { signal: options.signal })
    }
  }

  /** Whether a customer cannot go on to pay, but is told to wait or refused. */
  const lacksLink = ({ payLinks, status }: PageAnswer): boolean =>
    payLinks.length === 0 && (showsLinks() || UNDERWAY.has(status))

  /** Whether the app shows the link when a customer orders the same again. Some apps refuse this, or send the link in an email. */
  async function showsLinkOfAgain(name: string): Promise<boolean> {
    const wanted = newOrder({ name })
    await make(wanted, { isAlone: true })
    return !lacksLink(await submissions.submitPatiently(wanted))
  }

  return { makeSlowly, interruptOrder }
}
