import type { CallerCase, CallerContext, Need } from './caller-case.ts'
import { NO_STATE, NotPossibleError } from '../app/run/not-possible.ts'
import { isChosenByCheck } from '../app/orders/order-template.ts'

export async function whyNotPossible(
  { needs = [] }: CallerCase,
  context: CallerContext,
): Promise<NotPossibleError | undefined> {
  for (const need of needs) {
    if (!(await isMet(need, context))) {
      return new NotPossibleError(REASONS[need], need === 'running' ? 'inconclusive' : 'option')
    }
  }
  return undefined
}

const REASONS: Readonly<Record<Need, string>> = {
  order: 'neither --order-url nor --order-body contains {order}',
  amount: 'neither --order-url nor --order-body contains {amount}',
  note: 'neither --order-url nor --order-body contains {note}',
  state: NO_STATE,
  paid: 'what the customer is told is not known: pass --state-url or --paid-text',
  text: 'the text of a paid page is not known: pass --paid-text',
  running: 'the clock of the sandbox is frozen, so it cannot tell how long the app waits',
}

async function isMet(need: Need, { orderUrl, options, watch, sandbox }: CallerContext): Promise<boolean> {
  switch (need) {
    case 'order':
    case 'amount':
    case 'note':
      return isChosenByCheck(need, [orderUrl, options.orderBody])
    case 'state':
      return watch !== undefined
    case 'paid':
      return watch !== undefined || options.paidText !== undefined
    case 'text':
      return options.paidText !== undefined
    case 'running':
      return sandbox.isClockRunning()
  }
}
