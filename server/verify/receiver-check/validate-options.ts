import type { CheckOptions } from '../../contract/checks/check.ts'
import { checkCases } from './cases.ts'
import type { CheckCase } from './check-case.ts'
import { CheckError } from '../app/run/check-error.ts'
import { type Named, NO_CASE_LEFT, selectCases } from '../app/run/select-cases.ts'
import type { History } from './histories/history.ts'
import { interleaved } from './histories/interleave.ts'
import { caseOf } from './histories/play-history.ts'
import { randomHistories } from './histories/random-histories.ts'
import { isChosenByCheck, orderPlaceholders } from '../app/orders/order-template.ts'
import { placeholders } from '../app/state/read-order-state.ts'
import {
  requireHttpUrl,
  unknownPlaceholders,
  validateAppUrl,
  validateStateOptions,
} from '../app/state/validate-state-options.ts'

/** Rejects wrong options before anything is sent. Returns the cases to run. A name of `callerCases` is refused with a hint. */
export function validateOptions(
  receiver: string,
  options: CheckOptions,
  callerCases: Named = [],
): readonly CheckCase[] {
  const { refundUrl, orderUrl, orderBody, createOrder } = options
  const placeholderNames = orderUrl === undefined ? placeholders : (['order', ...placeholders] as const)
  requireHttpUrl('The receiver', receiver)
  if (orderUrl !== undefined) requireHttpUrl('The order URL', orderUrl)
  validateStateOptions(options, placeholderNames)
  if (refundUrl !== undefined)
    validateAppUrl('The refund URL', refundUrl, [...placeholderNames, 'refundAmount'])
  if (options.formUrl !== undefined) requireHttpUrl('The form URL', options.formUrl)
  if (orderUrl !== undefined && createOrder !== undefined) {
    throw new CheckError('Both an order URL and createOrder would create the orders. Pass only one of them.')
  }
  if (orderUrl === undefined && orderBody !== undefined) {
    throw new CheckError('The order body has no effect without an order URL. Also pass --order-url.')
  }
  validateOrderTemplate('The order URL', orderUrl)
  validateOrderTemplate('The order body', orderBody)
  if (options.seed !== undefined && options.histories === undefined) {
    throw new CheckError('The seed has no effect without histories. Also pass --histories.')
  }
  const histories = historiesIn(options)
  if (histories !== undefined) {
    assertHistoriesPossible(options)
    return histories.map(caseOf)
  }
  const cases: readonly CheckCase[] = checkCases
  const selected = selectCases(cases, options, {
    cases: callerCases,
    ofOther: 'check --caller: pass --caller, and leave out the address of the receiver',
    list: 'check --list',
  })
  if (!options.quick) return selected
  const left = selected.find(({ isQuick }) => !isQuick)
  if (options.only !== undefined && left !== undefined)
    throw new CheckError(`--quick leaves out ${left.name}. Pass either --quick or --only.`)
  const quick = selected.filter(({ isQuick }) => isQuick)
  if (quick.length === 0) throw new CheckError(NO_CASE_LEFT)
  return quick
}

const DEFAULT_SEED = 1

export function historiesIn({
  interleave,
  histories,
  seed = DEFAULT_SEED,
  orderUrl,
  orderBody,
  refundUrl,
}: CheckOptions): readonly History[] | undefined {
  if (interleave !== undefined) return interleaved(interleave, refundUrl)
  if (histories === undefined) return undefined
  return randomHistories(histories, seed, {
    canRefund: refundUrl !== undefined,
    canOrderAgain: isChosenByCheck('order', [orderUrl, orderBody]),
  })
}

/** Histories need orders of the app, and their states. */
function assertHistoriesPossible({
  interleave,
  histories,
  orderUrl,
  createOrder,
  stateUrl,
  orderState,
  only,
  skip = [],
}: CheckOptions): void {
  if (interleave !== undefined && histories !== undefined) {
    throw new CheckError('--interleave and --histories both replace the cases. Pass only one of them.')
  }
  if (only !== undefined || skip.length > 0) {
    throw new CheckError(
      'The named cases would not run, because the events replace the cases. Pass only cases or only events.',
    )
  }
  if ((orderUrl ?? createOrder) === undefined || (stateUrl ?? orderState) === undefined) {
    throw new CheckError(
      'The check must read the orders of your app to interleave events. Pass --order-url and --state-url.',
    )
  }
}

/** Rejects a placeholder that is probably misspelled. Other names in braces may belong to the app, as in GraphQL. */
function validateOrderTemplate(optionName: string, template = ''): void {
  const misspelled = unknownPlaceholders(template, orderPlaceholders).find(({ isMisspelled }) => isMisspelled)
  if (misspelled !== undefined) throw new CheckError(`${optionName} has ${misspelled.problem}`)
}
