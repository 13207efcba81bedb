import { didYouMeanSentence, findClosestMatch } from '../../domain/text/closest-match.ts'
import type { CheckOptions, StateOptions } from '../../contract/checks/check.ts'
import { isHttpUrl } from '../../domain/network/urls.ts'
import { checkCases } from './cases.ts'
import type { CheckCase } from './check-case.ts'
import { CheckError } from '../app/run/check-error.ts'
import type { History } from './histories/history.ts'
import { interleaved } from './histories/interleave.ts'
import { caseOf } from './histories/play-history.ts'
import { randomHistories } from './histories/random-histories.ts'
import { isChosenByCheck, orderPlaceholders } from '../app/orders/order-template.ts'
import { isJsonPointer } from '../app/state/json-pointer.ts'
import { placeholders, placeholdersIn, pointersIn } from '../app/state/read-order-state.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

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

/** Rejects wrong options for reading the state of orders. */
export function validateStateOptions(
  {
    stateUrl,
    statePointer,
    countPointer,
    receivedPointer,
    refundedPointer,
    paidValue,
    cancelledValue,
    orderState,
  }: StateOptions,
  known: readonly string[],
): void {
  if (stateUrl !== undefined) validateAppUrl('The state URL', stateUrl, known)
  validatePointer('The state pointer', statePointer)
  for (const pointer of pointersIn(countPointer)) validatePointer('The count pointer', pointer)
  validatePointer('The received pointer', receivedPointer)
  validatePointer('The refunded pointer', refundedPointer)
  if (stateUrl !== undefined && orderState !== undefined) {
    throw new CheckError(
      'Both a state URL and a function would read the state of orders. Pass only one of them.',
    )
  }
  if (
    stateUrl === undefined &&
    (statePointer ?? countPointer ?? receivedPointer ?? refundedPointer ?? paidValue ?? cancelledValue) !==
      undefined
  ) {
    throw new CheckError(
      'The pointers and the paid value have no effect without a state URL. Also pass --state-url.',
    )
  }
}

export function requireHttpUrl(optionName: string, url: string): void {
  if (!isHttpUrl(url)) {
    throw new CheckError(
      `${optionName} is ${hidePasswords(url)}, which is not an http or https URL. Give one like http://localhost:3000/webhooks.`,
    )
  }
}

function validateAppUrl(optionName: string, url: string, known: readonly string[]): void {
  requireHttpUrl(optionName, url)
  const written = known.map((name) => `{${name}}`)
  const [unknown] = unknownPlaceholders(url, known)
  if (unknown !== undefined) throw new CheckError(`${optionName} has ${unknown.problem}`)
  if (placeholdersIn(url).length === 0) {
    throw new CheckError(`${optionName} does not identify an order. Add one of ${written.join(', ')}.`)
  }
}

/** The placeholders of a template that are not known: what is wrong with each, and whether it resembles a known one. */
function unknownPlaceholders(
  template: string,
  known: readonly string[],
): { readonly problem: string; readonly isMisspelled: boolean }[] {
  const written = known.map((name) => `{${name}}`)
  return placeholdersIn(template)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const hint = didYouMeanSentence(`{${name}}`, written)
      const problem = `an unknown placeholder {${name}}.${hint} Available: ${written.join(', ')}.`
      return { problem, isMisspelled: hint !== '' }
    })
}

/** Rejects a placeholder that is probably misspelled. Other names in braces may belong to the app, as in GraphQL. */
function validateOrderTemplate(optionName: string, template = ''): void {
  const misspelled = unknownPlaceholders(template, orderPlaceholders).find(({ isMisspelled }) => isMisspelled)
  if (misspelled !== undefined) throw new CheckError(`${optionName} has ${misspelled.problem}`)
}

function validatePointer(optionName: string, pointer: string | undefined): void {
  if (pointer === undefined || isJsonPointer(pointer)) return
  throw new CheckError(
    `${optionName} is ${pointer}, which is not a JSON pointer. A JSON pointer begins with a slash, like /order/status.`,
  )
}

const NO_CASE_LEFT = 'No case is left to run. Skip fewer cases.'

type Named = readonly { readonly name: string }[]

/** Returns the selected cases, in their usual sequence. `others` are the cases of the other check. */
export function selectCases<Case extends { readonly name: string }>(
  cases: readonly Case[],
  { only, skip = [] }: Pick<CheckOptions, 'only' | 'skip'>,
  others: { readonly cases: Named; readonly ofOther: string; readonly list: string },
): readonly Case[] {
  const names = cases.map(({ name }) => name)
  const unknown = [...(only ?? []), ...skip].find((name) => !names.includes(name))
  if (unknown !== undefined) throw new CheckError(noSuchCase(unknown, names, others))
  const selected = cases.filter(({ name }) => (only ?? names).includes(name) && !skip.includes(name))
  if (selected.length > 0) return selected
  throw new CheckError(NO_CASE_LEFT)
}

function noSuchCase(
  name: string,
  names: readonly string[],
  { cases, ofOther, list }: Parameters<typeof selectCases>[2],
): string {
  const otherNames = cases.map((one) => one.name)
  if (otherNames.includes(name)) return `${name} is a case of ${ofOther}.`
  const other = findClosestMatch(name, otherNames)
  const hint =
    didYouMeanSentence(name, names) ||
    (other === undefined ? '' : ` Did you mean ${other}, a case of ${ofOther}?`)
  return `There is no case ${name}.${hint} ${list} lists all cases.`
}
