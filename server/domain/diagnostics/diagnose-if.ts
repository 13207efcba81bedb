import { createDiagnostic, type Diagnostic } from './diagnostic.ts'

/** Texts and severity that replace the usual ones of a finding. */
export type Overrides = Parameters<typeof createDiagnostic>[2]

export function diagnoseIf(
  condition: boolean,
  code: Diagnostic['code'],
  seen: () => string,
  overrides: Overrides = {},
): Diagnostic[] {
  return condition ? [createDiagnostic(code, seen(), overrides)] : []
}

export const MAX_PER_CODE = 10

/** One diagnostic for each of the first items. A request can repeat a mistake a thousand times. */
export const diagnoseEach = <Item>(
  items: readonly Item[],
  code: Diagnostic['code'],
  seen: (item: Item) => string,
  overridesFor: (item: Item) => Overrides = () => ({}),
): Diagnostic[] =>
  items.slice(0, MAX_PER_CODE).map((item) => createDiagnostic(code, seen(item), overridesFor(item)))
