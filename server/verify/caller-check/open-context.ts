import { rejectPaidValue } from '../app/state/reject-paid-value.ts'
import type { OrderWatch } from '../app/state/watch-order.ts'
import { callRefused, CheckError } from '../app/run/check-error.ts'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { type CallerContext, type CallerFailure, failureOf } from './caller-case.ts'
import type { CallerSandbox } from './caller-sandbox.ts'
import { createCookieJar } from '../app/orders/cookie-jar.ts'
import { describePage, checkPlacedOrder } from './orders/check-order.ts'
import { createLinkAddresses } from '../app/orders/link-addresses.ts'
import { createShownTexts } from '../app/orders/shown-texts.ts'
import { orderHint, type OrderPage } from '../app/orders/submit-order.ts'
import { createOrder, postOrder } from './orders/place-order.ts'

const LINK_TIMEOUT_MS = 5_000

/** Places a first order while everything works, to find out the account of the app. Also returns what is wrong with the order. */
export async function openContext(
  checkContext: Pick<CallerContext, 'orderUrl' | 'options' | 'sandbox' | 'watch'>,
): Promise<{ readonly context: CallerContext; readonly failure: CallerFailure | undefined }> {
  const { orderUrl, sandbox } = checkContext
  const shown = createShownTexts()
  const page: OrderPage = { orderUrl, options: checkContext.options, shown, confirmations: undefined }
  const order = createOrder()
  const cookies = createCookieJar()
  const seq = await sandbox.newestSeq()
  const answer = await postOrder({ page }, order, cookies)
  if (answer.error !== null)
    throw new CheckError(`Nothing was checked: ${answer.error}. Start your app, or correct --order-url.`)
  // A different app may create a link at the same time, so the link is found by the pay link in the response.
  const [payLink] = answer.payLinks
  const link = await (payLink === undefined ? sandbox.waitForLink(seq, undefined, 0) : sandbox.link(payLink))
  if (link === undefined) {
    if (answer.status < 400 && (await sandbox.waitForLink(seq, undefined, LINK_TIMEOUT_MS)) !== undefined) {
      throw new CheckError(
        `Nothing was checked, because the answer to the order has no pay link: ${describePage(answer)}. Your app created the link only afterwards, and the check does not run the scripts of a page. Pass an --order-url that answers with the pay link, with a redirect, or with a page that reloads itself until it has the link.`,
      )
    }
    const refusal = await sandbox.refusalAfter(seq, [order.order, order.note, new URL(orderUrl).host])
    if (refusal !== undefined) throw callRefused(refusal, describePage(answer))
    throw new CheckError(
      `Nothing was checked, because ${orderUrl} created no payment link: ${describePage(answer)}. Point the app at this sandbox with the key of one of its accounts, and correct --order-url and --order-body.${orderHint(answer)}`,
    )
  }
  if (checkContext.watch !== undefined) await assertWebhooksArrive(sandbox, link)
  const account = link.accountId
  const faults = await sandbox.countFaults(account)
  if (faults > 0) {
    throw new CheckError(
      `Nothing was checked, because ${faults === 1 ? 'a fault applies' : `${faults} faults apply`} to the calls of the app. Remove the faults, because the check adds its own.`,
    )
  }
  const { calls, links } = await sandbox.seenAfter(seq, account)
  const context: CallerContext = {
    ...checkContext,
    account,
    key: await sandbox.keyFinder(account),
    passesNotes: link.note.includes(order.note),
    page,
    shown,
    addresses: createLinkAddresses(),
    hiddenPaidText: {},
    pauses: {},
  }
  context.addresses.add({ ...link, order: order.order }, true)
  const failure = await failureOf(() =>
    checkPlacedOrder(context, { order, answers: [answer], cookies, calls, links }, 'link'),
  )
  if (checkContext.watch !== undefined && failure === undefined)
    await rehearse(sandbox, checkContext.watch, { ...link, order: order.order })
  return { context, failure }
}

/** How long the state of an order may be temporary after a payment. */
const SETTLING_MS = 3_000

/** Reads and pays the first order. If this fails, an option is wrong, so the check ends with an error that names the option. */
async function rehearse(sandbox: CallerSandbox, watch: OrderWatch, order: CheckedOrder): Promise<void> {
  const before = await watch.readPatiently(order)
  if ('unknown' in before) {
    throw new CheckError(
      `Nothing was checked, because the state of a new order cannot be read: ${before.unknown}. Correct --state-url.`,
    )
  }
  // The app may have counted something before the payment, such as an email about the order.
  watch.countFrom(before)
  if (order.targets.length === 0) return
  await sandbox.pay(order)
  let changedAt: number | undefined
  const after = await watch.waitUntil(order, ({ paid, value }) => {
    if (value !== before.value) changedAt ??= performance.now()
    return paid || (changedAt !== undefined && performance.now() - changedAt > SETTLING_MS)
  })
  rejectPaidValue(before, after)
}

/** Ends the check if no webhook of a payment can reach the app. */
async function assertWebhooksArrive(sandbox: CallerSandbox, { targets }: CheckedOrder): Promise<void> {
  for (const { url } of targets) {
    const reason = await sandbox.heldReason(new URL(url).origin, 'webhook')
    if (reason === null) continue
    throw new CheckError(
      `Nothing was checked, because no webhook can reach ${url}, the payment_endpoint of a link of your app: ${reason}. Make your app use its own address, or map this host to your app: start the sandbox with --map.`,
    )
  }
}
