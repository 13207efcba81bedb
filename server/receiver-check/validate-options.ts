import { findClosestMatch } from '../domain/text/closest-match.ts'
import { isHttpUrl } from '../domain/network/urls.ts'
import { checkCases, checkNames } from './cases.ts'
import type { CheckCase } from './check-case.ts'
import type { CheckOptions } from '../contract/check.ts'
import { CheckError } from './check-error.ts'
import { isJsonPointer } from './json-pointer.ts'
import { placeholders, unknownPlaceholders } from './read-order-state.ts'

/** Refuses what cannot be meant, before anything is sent. Gives the cases that are. */
export function validateOptions(receiver: string, options: CheckOptions): readonly CheckCase[] {
  const { stateUrl, statePointer, countPointer, paid, orderUrl, orderBody, oracle, createOrder } = options
  validateUrl('The receiver', receiver)
  if (orderUrl !== undefined) validateUrl('The order url', orderUrl)
  if (stateUrl !== undefined) validateStateUrl(stateUrl)
  validatePointer('The state pointer', statePointer)
  validatePointer('The count pointer', countPointer)
  if (stateUrl !== undefined && oracle !== undefined) {
    throw new CheckError('A state url and an oracle both tell whether an order is paid. Give one of them.')
  }
  if (orderUrl !== undefined && createOrder !== undefined) {
    throw new CheckError('An order url and createOrder both make orders. Give one of them.')
  }
  if (stateUrl === undefined && (statePointer ?? countPointer ?? paid) !== undefined) {
    throw new CheckError('There is no state url that pointers and state could be of. Give the state url too.')
  }
  if (orderUrl === undefined && orderBody !== undefined) {
    throw new CheckError('There is no order url that the order body could go to. Give the order url too.')
  }
  return selectCases(options.only)
}

function validateUrl(what: string, url: string): void {
  if (!isHttpUrl(url)) {
    throw new CheckError(
      `${what} is ${url}, which is no address. Give one like http://localhost:3000/webhooks.`,
    )
  }
}

function validateStateUrl(stateUrl: string): void {
  validateUrl('The state url', stateUrl)
  const names = placeholders.map((name) => `{${name}}`).join(', ')
  const [stray] = unknownPlaceholders(stateUrl)
  if (stray !== undefined) {
    const meant = findClosestMatch(stray, placeholders)
    const hint = meant === undefined ? '' : ` Did you mean {${meant}}?`
    throw new CheckError(`Nothing stands for {${stray}} in the state url.${hint} There are ${names}.`)
  }
  if (!placeholders.some((name) => stateUrl.includes(`{${name}}`))) {
    throw new CheckError(`The state url does not say which order is meant. Put one of ${names} into it.`)
  }
}

function validatePointer(what: string, pointer: string | undefined): void {
  if (pointer === undefined || isJsonPointer(pointer)) return
  throw new CheckError(`${what} is ${pointer}. A JSON pointer begins with a slash, like /order/status.`)
}

function selectCases(only: readonly string[] | undefined): readonly CheckCase[] {
  if (only === undefined) return checkCases
  for (const name of only) {
    if ((checkNames as readonly string[]).includes(name)) continue
    const meant = findClosestMatch(name, checkNames)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new CheckError(`There is no case ${name}.${hint} There are ${checkNames.join(', ')}.`)
  }
  return checkCases.filter(({ name }) => only.includes(name))
}
