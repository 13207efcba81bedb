import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import {
  hasAll,
  optionsOf,
  pairsOf,
  withOptions,
  type Combination,
  type Factor,
  type Option,
} from './factor.ts'
import { pairwise } from './pairwise.ts'
import type { Passing, RunLog } from './run-log.ts'

/**
 * Combinations for pairs of options that no run has tested yet, because a known cause made every such run fail.
 */
export function untestedCombinations<Run extends Passing>(
  factors: readonly Factor[],
  base: Combination,
  { runs, known, passing }: RunLog<Run>,
  causes: readonly { readonly options: readonly Option[] }[],
  dependsOn: (run: Run, name: BehaviorName) => boolean,
): Combination[] {
  if (causes.length === 0) return []
  const together = causes.flatMap(({ options: [first, ...others] }) =>
    first !== undefined && others.length > 0 ? [[first, ...others] as const] : [],
  )
  const isCause = (option: Option): boolean =>
    causes.some(({ options }) => options.length === 1 && hasAll(withOptions({}, [option]), options))
  const rest = factors
    .filter(({ name }) => runs.some((ran) => dependsOn(ran.run, name)))
    .map(({ name, values }): Factor => {
      const [first, ...others] = [
        base[name]!,
        ...values.filter((value) => value !== base[name] && !isCause({ name, value })),
      ]
      return { name, values: [first, ...others] }
    })
  const seen = [
    ...passing().map(({ combination }) => combination),
    ...together.map((one) => withOptions({}, one)),
  ]
  const rows = pairwise(rest, seen)
    .map((row) => ({ ...base, ...row }))
    .map((combination) =>
      together
        .filter((options) => hasAll(combination, options))
        .reduce((row, [{ name }]) => withOptions(row, [{ name, value: base[name]! }]), combination),
    )
  const newRows = rows.filter(
    (row, index) =>
      known(row) === undefined && rows.findIndex((one) => hasAll(one, optionsOf(row))) === index,
  )
  if (newRows.length > 0) return newRows
  // A known cause makes each of these runs fail, so every pair gets its own run.
  return pairsOf(rest)
    .filter((pair) => !seen.some((one) => hasAll(one, pair)))
    .map((pair) => withOptions(base, pair))
    .filter((row) => known(row) === undefined)
}
