import type { CheckedOrder } from '../../contract/checks/check.ts'
import type { CaseContext } from './case-context.ts'
import type { CheckCase } from './check-case.ts'
import {
  hasOtherNote,
  needCallback,
  needTargets,
  NO_STATE,
  NOTES_OF_APP,
  NotPossibleError,
} from '../app/run/not-possible.ts'

export const needsRefund = ({ steps = [], needs = [] }: CheckCase): boolean =>
  needs.includes('refund') || needs.includes('partial-refund') || steps.some((step) => 'refund' in step)

const AMOUNTS_OF_APP = 'the app chooses the amounts of its orders itself: write {amount} in --order-body'

export function whyNotPossible(
  { orders, watch, options: { refundUrl }, app }: CaseContext,
  checkCase: CheckCase,
): string | undefined {
  const { wantedOrder, steps = [], isBeforeLink = false, needs = [], variants = [] } = checkCase
  const restarts = steps.some((step) => 'restart' in step)
  const refunds = needsRefund(checkCase)
  const choosesNote = wantedOrder?.note !== undefined || needs.includes('notes')
  const choosesAmount = variants.some(({ amount }) => amount !== undefined)
  const hasCustomer = needs.includes('account') || steps.some((step) => 'browser' in step)
  const reasons: readonly (readonly [isMissing: boolean, reason: string])[] = [
    [
      restarts && app === undefined,
      'the check cannot stop and start your app, and so cannot see whether payments are stored before the answer: pass --restart "<command that starts your app>"',
    ],
    [
      refunds && !orders.appMakesOrders,
      'the app cannot be asked for a refund: pass --order-url and --refund-url',
    ],
    [refunds && refundUrl === undefined, 'the app cannot be asked for a refund: pass --refund-url'],
    [(restarts || refunds) && watch === undefined, NO_STATE],
    [
      needs.includes('partial-refund') && !refundUrl?.includes('{refundAmount}'),
      'the app cannot be asked for a partial refund: write {refundAmount} in --refund-url',
    ],
    [
      needs.includes('again') && !orders.canOrderAgain,
      'no customer can place the same order again: write {order} in --order-url or --order-body',
    ],
    [
      isBeforeLink && !orders.appMakesOrders,
      'no webhook can arrive before the link, because the check does not place the orders: pass --order-url',
    ],
    [choosesNote && !orders.canChooseNotes, NOTES_OF_APP],
    [choosesAmount && !orders.canChooseAmounts, AMOUNTS_OF_APP],
    [needs.length > 0 && watch === undefined, NO_STATE],
    [needs.includes('amounts') && !orders.canChooseAmounts, AMOUNTS_OF_APP],
    [
      hasCustomer && !orders.appMakesOrders,
      'no customer can return, because the check does not place the orders: pass --order-url',
    ],
  ]
  return reasons.find(([isMissing]) => isMissing)?.[1]
}

/** Throws if a case proves nothing with this order of the app. */
export function needSuitedOrder(
  { steps = [], wantedOrder, variants }: CheckCase,
  order: CheckedOrder,
  { stateUrl = '' }: CaseContext['options'],
): void {
  const { amount, note } = order
  if (steps.some((step) => ('pay' in step && step.pay === 'sandbox') || 'resend' in step)) needTargets(order)
  const { note: wantedNote, amount: wantedAmount } = wantedOrder ?? {}
  if (wantedNote !== undefined && stateUrl.includes('{note}')) {
    const isSuited = wantedNote === '' ? note === '' : note.includes(wantedNote)
    if (!isSuited) throw hasOtherNote(note, wantedNote)
  }
  if (steps.some((step) => 'browser' in step)) needCallback(order.callbackUrl)
  if (wantedAmount === undefined) return
  if (variants !== undefined) {
    if (amount !== wantedAmount) throw otherAmount(amount, String(wantedAmount))
    return
  }
  // Writing two decimals makes a difference only if the amount has fewer.
  const writesTwoDecimals = steps.some((step) => 'send' in step && step.send?.amount === 'two-decimals')
  const isSuited = writesTwoDecimals
    ? decimalsOf(amount) < 2
    : decimalsOf(amount) === decimalsOf(wantedAmount)
  if (!isSuited) throw otherAmount(amount, `an amount like ${wantedAmount}`)
}

const otherAmount = (amount: number, expected: string): NotPossibleError =>
  new NotPossibleError(
    'the app created an order of a different amount than the case needs',
    'order',
    `${amount} instead of ${expected}`,
  )

const decimalsOf = (euros: number): number => String(euros).split('.')[1]?.length ?? 0
