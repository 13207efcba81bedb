import { FOR_CANCELLED_ORDER } from '../../mistakes/find-mistakes.ts'
import { checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { NoOrderError } from '../../app/run/check-error.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { fieldsOfPaidOrder } from '../../app/state/read-order-state.ts'
import type { WebhookVariant } from '../../app/webhooks/webhook-variant.ts'

interface Forgery {
  readonly what: string
  readonly variant: WebhookVariant
  readonly isCancelled?: true
}

/** Sends each webhook for an order of its own, and expects that none pays. An app that does not accept JSON gets only forms. */
async function forge(tools: CaseTools, forgeries: readonly Forgery[]): Promise<void> {
  const { watch, remembered, acceptedEncoding } = tools.context
  const readsJson = await acceptedEncoding.accepts('json')
  const readable = forgeries.filter(({ variant }) => variant.encoding !== 'json' || readsJson)
  const sent = await Promise.all(
    readable.map(async ({ what, variant, isCancelled }) => {
      const order = await tools.make()
      if (isCancelled) await tools.post(order, { status: 'cancel' }, 'tolerated')
      await tools.post(order, variant, 'tolerated')
      return { what, isCancelled, order }
    }),
  )
  await tools.waitForOtherOrder()
  for (const { what, isCancelled, order } of sent) {
    await checkWith(`after ${what}`, async () => {
      await tools.expectNow(order, 'unpaid')
      // An app may send back every payment of a cancelled order.
      if (!isCancelled) await tools.expectNoRefund(order)
    })
    if (watch !== undefined)
      remembered.push({ order, state: 'unpaid', isPaidOnce: false, endedAt: performance.now() })
  }
}

/** Payments with a wrong amount. An app may read JSON, and handle a cancelled order, in code of their own. */
export const payWrongAmount = (tools: CaseTools): Promise<void> =>
  forge(tools, [
    { what: 'a webhook with a wrong amount', variant: { amount: 'forged' } },
    { what: 'a webhook in JSON with a wrong amount', variant: { amount: 'forged', encoding: 'json' } },
    {
      what: `a webhook with a wrong amount ${FOR_CANCELLED_ORDER}`,
      variant: { amount: 'forged' },
      isCancelled: true,
    },
  ])

/** The path of a tunnel. Tunnels of all apps have the same host. */
const TUNNEL = /^\/tunnel\//

/** Whether two targets belong to the same app. */
function isSameApp(one: string, other: string): boolean {
  const [url, otherUrl] = [new URL(one), new URL(other)]
  return url.origin === otherUrl.origin && (!TUNNEL.test(url.pathname) || url.pathname === otherUrl.pathname)
}

/** Texts that fit every account in a query that reads them as a pattern or as a part of the query. */
const PATTERNS = ['%', '.*', "' OR '1'='1"]

/** Payments to other accounts: to one that does not exist, and to those of the sandbox. */
export async function payOtherAccounts(tools: CaseTools): Promise<void> {
  const { accountId, targets } = await tools.make()
  const { receiver, ownAccounts } = tools.context
  const own = [receiver, ...targets.map(({ url }) => url)]
  const others: string[] = []
  for (const account of await tools.sandbox.otherAccounts(accountId)) {
    // An app may have several accounts, and take payments to each of them.
    const isOwn = account.targets.some((url) => own.some((one) => isSameApp(url, one)))
    if (isOwn) ownAccounts.add(account.id)
    else others.push(account.id)
  }
  await forge(tools, [
    { what: 'a webhook with the user_id of no account', variant: { user: 'forged' } },
    {
      what: 'a webhook in JSON with the user_id of no account',
      variant: { user: 'forged', encoding: 'json' },
    },
    {
      what: `a webhook with the user_id of no account ${FOR_CANCELLED_ORDER}`,
      variant: { user: 'forged' },
      isCancelled: true,
    },
    ...PATTERNS.map((pattern) => ({
      what: `a webhook with the user_id ${pattern}, which a careless query takes for any account`,
      variant: { user: { accountId: pattern } },
    })),
    {
      what: 'a webhook with the field data[user_id][$ne], which some databases take for any other account',
      variant: { user: 'operator', encoding: 'form' },
    },
    ...others.map((id) => ({
      what: `a webhook with the user_id of another account of the sandbox, ${id}`,
      variant: { user: { accountId: id } },
    })),
  ])
}

/** A customer adds fields to an order that only the app may set. The app may refuse such an order. */
export async function orderAsPaid(tools: CaseTools): Promise<void> {
  const added = fieldsOfPaidOrder(tools.context.options)
  const order = await tools.make({ added }).catch((error: unknown) => {
    if (!(error instanceof NoOrderError)) throw error
    throw new NotPossibleError('the app refused an order with further fields', 'order', error.reason)
  })
  await tools.waitForOtherOrder()
  await checkWith(`after an order with the fields ${JSON.stringify(added)}`, () =>
    tools.expectNow(order, 'unpaid'),
  )
}
