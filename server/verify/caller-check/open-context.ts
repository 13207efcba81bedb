import { createSecretFinder } from '../../domain/secrets/secret-finder.ts'
import { CheckError } from '../receiver-check/check-error.ts'
import type { CallerContext, Failure } from './caller-case.ts'
import { createCookieJar } from './cookie-jar.ts'
import { describeAnswer, judgeOrder } from './judge-order.ts'
import { createOrder, postOrder } from './place-order.ts'

const LINK_TIMEOUT_MS = 5_000

/**
 * Places a first order while everything works. It shows which account the app uses. Also returns what is wrong with the
 * order.
 */
export async function openContext(
  given: Pick<CallerContext, 'orderUrl' | 'options' | 'sandbox' | 'watch'>,
): Promise<{ readonly context: CallerContext; readonly failure: Failure | undefined }> {
  const { orderUrl, sandbox } = given
  const shown: CallerContext['shown'] = []
  const order = createOrder()
  const cookies = createCookieJar()
  const seq = await sandbox.newestSeq()
  const answer = await postOrder({ ...given, shown }, order, cookies)
  if (answer.error !== null)
    throw new CheckError(`Nothing was checked: ${answer.error}. Start your app, or correct the order URL.`)
  // Another app can create a link meanwhile, so the pay link in the answer counts.
  const [payLink] = answer.payLinks
  const link =
    payLink === undefined
      ? await sandbox.waitForLink(seq, undefined, answer.status < 400 ? LINK_TIMEOUT_MS : 0)
      : await sandbox.link(payLink)
  if (link === undefined) {
    throw new CheckError(
      `Nothing was checked, because ${orderUrl} created no payment link: ${describeAnswer(answer)}. Point the app at this sandbox with the key of one of its accounts, and check the order URL and the order body.`,
    )
  }
  const account = link.accountId
  const faults = await sandbox.countFaults(account)
  if (faults > 0) {
    throw new CheckError(
      `Nothing was checked, because ${faults === 1 ? 'a fault applies' : `${faults} faults apply`} to the calls of the app already. Remove the faults, because the check adds its own.`,
    )
  }
  const { calls, links } = await sandbox.seenAfter(seq, account)
  const { apiKey, name, recipientToken } = await sandbox.account(account)
  const context: CallerContext = {
    ...given,
    account,
    key: createSecretFinder([apiKey], [name.replaceAll(' ', ''), recipientToken]),
    passesNotes: link.note.includes(order.note),
    shown,
  }
  return {
    context,
    failure: judgeOrder(context, { order, answers: [answer], cookies, calls, links }, 'link'),
  }
}
