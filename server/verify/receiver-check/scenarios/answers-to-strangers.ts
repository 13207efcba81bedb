import { bodyText } from '../../../domain/http/exchange.ts'
import { describeResponse } from '../../../domain/http/http-fetch.ts'
import type { CheckedOrder, Probe } from '../../../contract/checks/check.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import type { WebhookAnswer } from '../tools/webhooks.ts'
import { NOTES_OF_APP, NotPossibleError } from '../../app/run/not-possible.ts'
import { personalValues } from '../../app/orders/order-template.ts'
import { isInAddress, pageSays } from '../../app/orders/page-says.ts'
import { targetsOf } from '../webhooks/send.ts'
import type { WebhookVariant } from '../../app/webhooks/webhook-variant.ts'

/** Webhooks of someone who guesses a `pay_id`, but knows neither the account nor the price. */
const GUESSES: readonly WebhookVariant[] = [
  { user: 'forged' },
  { amount: 'forged' },
  { status: 'Pending' },
  { status: 'cancel', user: 'forged' },
  { omit: 'status' },
  { payId: 'unknown', user: 'forged' },
]

/**
 * Sends webhooks with the `pay_id` of an order, but without the note of its customer. No response may contain the note or the
 * customer's data, either before or after the payment.
 */
export async function answerStrangers(tools: CaseTools): Promise<void> {
  const { orders, context } = tools
  if (!orders.appMakesOrders)
    throw new NotPossibleError('the app has no order that it could show: pass --order-url', 'option')
  const order = await tools.make()
  const note = orders.noteOf(order)
  const data = personalValues(context.options.orderBody)
  if (note === undefined && data.length === 0) {
    throw new NotPossibleError(NOTES_OF_APP, 'option')
  }
  // An app may put the number of the order before the customer's note. Strangers can guess this number.
  const withoutNote = {
    ...order,
    note: note === undefined ? order.note : order.note.replace(note, '').trim(),
  }
  const isOnlyReceiver = targetsOf(context.receiver, order, {}).every((url) => url === context.receiver)
  const known = isOnlyReceiver ? {} : { to: 'receiver' as const }
  const addresses = isOnlyReceiver ? [known] : [{}, known]
  const guesses = addresses.flatMap((address) => GUESSES.map((guess) => ({ ...guess, ...address })))
  const ask = async (one: CheckedOrder, variant: WebhookVariant): Promise<readonly WebhookAnswer[]> =>
    (await tools.post(one, variant, 'tolerated')).map(answerOf)

  // An app may tell anyone its own address, which may also be that of the customer.
  const answers = await ask(order, { to: 'receiver', payId: 'unknown', note: 'unknown', user: 'forged' })
  // Someone may know the note, because the app finds its orders by it.
  const othersSecrets = data.filter((value) => !answers.some(({ text }) => pageSays(text, value)))
  const secrets = [...(note === undefined ? [] : [note]), ...othersSecrets]
  const guess = async (variant: WebhookVariant): Promise<void> => {
    expectSecrecy(order, secrets, await ask(withoutNote, variant))
    expectSecrecy(order, othersSecrets, await ask(order, variant))
  }
  const guessAll = async (): Promise<void> => {
    await Promise.all(guesses.map(guess))
    // An order's own address may also be that of its page, for those who know it.
    expectSecrecy(order, secrets, await tools.getWebhook(withoutNote, { user: 'forged', ...known }))
  }
  await guessAll()
  await tools.post(order)
  await tools.expectPaid(order)
  await guessAll()
  // The service also sends such webhooks. A stranger knows the receiver's address, but not the address of an order's own
  // webhooks.
  await guess({ to: 'receiver' })
  await guess({ to: 'receiver', payId: 'unknown' })
}

/** Throws if a response contains one of these texts. A text that is part of an address is no secret. */
function expectSecrecy(
  order: CheckedOrder,
  texts: readonly string[],
  answers: readonly WebhookAnswer[],
): void {
  for (const { url, text, probe } of answers) {
    const shown = texts.find(
      (secret) => !isInAddress(url, secret) && (isInAddress(text, secret) || pageSays(text, secret)),
    )
    if (shown === undefined) continue
    const seen = `the answer contains ${JSON.stringify(shown)} of the order, and the webhook does not`
    throw new CaseFailure({ problem: 'leaked-order', seen }, order, probe)
  }
}

function answerOf(probe: Probe): WebhookAnswer {
  const { request, response } = probe.exchange
  if (response === null) return { url: request.url, text: '', probe }
  const body = bodyText(response.body)
  const { headerLines } = describeResponse(response.status, response.headers, body)
  return { url: request.url, text: `${headerLines}\n${body}`, probe }
}
