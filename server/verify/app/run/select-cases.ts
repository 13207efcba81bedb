import type { CheckOptions } from '../../../contract/checks/check.ts'
import { didYouMeanSentence, findClosestMatch } from '../../../domain/text/closest-match.ts'
import { CheckError } from './check-error.ts'

export const NO_CASE_LEFT = 'No case is left to run. Skip fewer cases.'

export type Named = readonly { readonly name: string }[]

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
