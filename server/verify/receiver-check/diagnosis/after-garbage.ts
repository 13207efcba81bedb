import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import type { CaseContext } from '../case-context.ts'
import { CaseFailure } from '../case-failure.ts'
import { createTools } from '../case-tools.ts'
import { NoOrderError, OrdersEndedError } from '../../app/run/check-error.ts'

const NAME = 'an order of another customer'

const TRY_AGAIN_MS = 500

export interface Harm {
  readonly seen: string
  readonly order: CheckedOrder
}

/** An order that was paid before a case. `undefined` if the check cannot prove that it is paid. */
export async function payBefore(context: CaseContext): Promise<CheckedOrder | undefined> {
  if (context.watch === undefined || (await context.acceptedEncoding.detect()) === undefined) return undefined
  if (context.paidBefore !== undefined) return context.paidBefore
  let made: CheckedOrder | undefined
  const failure = await payNew(context, (order) => (made = order))
  if (failure === undefined) context.paidBefore = made
  return context.paidBefore
}

/**
 * Looks at an order that was paid before a case has sent garbage. If the case has failed, also places and pays a new order. `undefined` if
 * both are as they should be.
 */
export async function findHarm(
  context: CaseContext,
  { name, hasFailed }: { readonly name: string; readonly hasFailed: boolean },
  paidBefore: CheckedOrder,
): Promise<Harm | undefined> {
  const lost = await failureOf(() =>
    createTools(context, { name: NAME }).expectNow(paidBefore, 'paid-once', true),
  )
  const unpaid = hasFailed ? await payNew(context) : undefined
  if (unpaid !== undefined && (await staysUnpaid(context))) context.harmedSince = name
  else if (lost !== undefined) await forgetOrders(context)
  const seen = lost ?? unpaid
  if (seen === undefined) return undefined
  return { seen: `afterwards, an order of another customer failed: ${seen}`, order: paidBefore }
}

/** Places an order, and pays it. Returns what is wrong, or `undefined`. */
const payNew = (context: CaseContext, made?: (order: CheckedOrder) => void): Promise<string | undefined> =>
  failureOf(async () => {
    const tools = createTools(context, { name: NAME })
    const order = await tools.make()
    made?.(order)
    await tools.post(order)
    await tools.expectPaid(order)
  })

async function failureOf(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    // Nothing is lost. Other cases are about orders that are fulfilled more than once.
    if (error instanceof CaseFailure)
      return error.seenProblem.problem === 'fulfilled-again' ? undefined : error.seenProblem.seen
    if (error instanceof NoOrderError) return error.reason
    // That the stock has ended is no harm.
    if (error instanceof OrdersEndedError) return undefined
    throw error
  }
}

/** Whether new orders stay unpaid for as long as the app may take. An app may start again by itself. */
async function staysUnpaid(context: CaseContext): Promise<boolean> {
  const end = performance.now() + context.patience.fullMs
  const { signal } = context.options
  do {
    if ((await payNew(context)) === undefined) return false
    await pause(TRY_AGAIN_MS, undefined, { signal })
  } while (performance.now() < end)
  return true
}

/** The app has lost its orders, and works again. Later cases must not fail for those, so forgets them as well. */
async function forgetOrders(context: CaseContext): Promise<void> {
  context.paidBefore = undefined
  context.remembered.length = 0
  if (context.untouched === undefined) return
  context.untouched = undefined
  await failureOf(async () => {
    context.untouched = await createTools(context, { name: NAME }).make()
  })
}
