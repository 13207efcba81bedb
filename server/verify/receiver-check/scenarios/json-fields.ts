import { formatAmount } from '../../../contract/format/values.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { failureOf } from '../../app/run/failure.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { SETTLING_MS } from '../../app/run/time-limit.ts'
import type { Encoding, WebhookVariant } from '../../app/webhooks/webhook-variant.ts'
import { writeCaseWebhook } from '../../app/webhooks/write-webhook.ts'

/** Floating-point arithmetic makes these amounts inexact. */
const INEXACT_AMOUNTS = [8.2, 19.99, 1019.95]

/** Throws if the app accepts no good webhook in JSON. Another case is about that. */
export async function needJson({ context }: CaseTools): Promise<void> {
  if (await context.acceptedEncoding.accepts('json')) return
  const isLeftOut = context.options.skip?.includes('json') === true
  throw new NotPossibleError(
    isLeftOut
      ? 'your app reads no JSON, and --skip leaves the case json out'
      : 'even a good webhook in JSON fails: mend the case json first',
  )
}

/** JSON with an inexact amount, with a status in lower case, in several lines, and with a cancel. */
export async function sendJsonFields(tools: CaseTools): Promise<void> {
  await needJson(tools)
  const amounts = tools.orders.canChooseAmounts ? INEXACT_AMOUNTS : []
  await Promise.all([
    ...amounts.map((amount) => payInJson(tools, { amount }, {})),
    payInJson(tools, undefined, { status: 'success' }),
    payInLines(tools),
    cancelInJson(tools),
  ])
}

async function payInJson(
  tools: CaseTools,
  wantedOrder: { readonly amount: number } | undefined,
  variant: WebhookVariant,
): Promise<void> {
  const pay = async (encoding: Encoding): Promise<void> => {
    const order = await tools.make({ wantedOrder })
    const what = variant.status === undefined ? formatAmount(order.amount) : `the status ${variant.status}`
    await checkWith(`after a webhook in JSON with ${what}`, async () => {
      await tools.post(order, { ...variant, encoding })
      await tools.expectPaid(order)
    })
  }
  const failure = await failureOf(CaseFailure, () => pay('json'))
  if (failure === undefined) return
  // If the same webhook fails as a form, this is not about JSON, and another case finds it.
  const isAboutJson =
    !(await tools.context.acceptedEncoding.accepts('form')) ||
    (await failureOf(CaseFailure, () => pay('form'))) === undefined
  if (isAboutJson) throw failure
}

/** The same JSON, with line breaks and spaces between its parts. */
async function payInLines(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  const { body } = writeCaseWebhook(order, { encoding: 'json' })
  const inLines = JSON.stringify(JSON.parse(body), null, 2)
  await checkWith('after a webhook in JSON with line breaks and spaces', async () => {
    await tools.post(order, { encoding: 'json', body: inLines })
    await tools.expectPaid(order)
  })
}

/** A cancel in JSON must have the same effect as one in a form. */
async function cancelInJson(tools: CaseTools): Promise<void> {
  const [order, other] = [await tools.make(), await tools.make()]
  const before = await tools.read(order)
  if (!(await tools.context.acceptedEncoding.accepts('form'))) return
  await tools.post(other, { status: 'cancel', encoding: 'form' })
  const { value } = await tools.waitForState(other, (state) => state.value !== before.value, SETTLING_MS)
  if (value === before.value) return
  await tools.post(order, { status: 'cancel', encoding: 'json' })
  const after = await tools.waitForState(order, (state) => state.value === value)
  if (after.value === value) return
  const seen = `after a cancel in JSON the state of the order is ${JSON.stringify(after.value)}, and after one in a form ${JSON.stringify(value)}`
  throw new CaseFailure({ problem: 'not-cancelled', seen }, order)
}
