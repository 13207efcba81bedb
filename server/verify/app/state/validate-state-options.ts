import type { StateOptions } from '../../../contract/checks/check.ts'
import { hidePasswords } from '../../../domain/network/credentials.ts'
import { isHttpUrl } from '../../../domain/network/urls.ts'
import { didYouMeanSentence } from '../../../domain/text/closest-match.ts'
import { CheckError } from '../run/check-error.ts'
import { isJsonPointer } from './json-pointer.ts'
import { placeholdersIn, pointersIn } from './read-order-state.ts'

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

export function validateAppUrl(optionName: string, url: string, known: readonly string[]): void {
  requireHttpUrl(optionName, url)
  const written = known.map((name) => `{${name}}`)
  const [unknown] = unknownPlaceholders(url, known)
  if (unknown !== undefined) throw new CheckError(`${optionName} has ${unknown.problem}`)
  if (placeholdersIn(url).length === 0) {
    throw new CheckError(`${optionName} does not identify an order. Add one of ${written.join(', ')}.`)
  }
}

/** The placeholders of a template that are not known: what is wrong with each, and whether it resembles a known one. */
export function unknownPlaceholders(
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

function validatePointer(optionName: string, pointer: string | undefined): void {
  if (pointer === undefined || isJsonPointer(pointer)) return
  throw new CheckError(
    `${optionName} is ${pointer}, which is not a JSON pointer. A JSON pointer begins with a slash, like /order/status.`,
  )
}
