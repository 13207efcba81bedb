import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'

/** A behavior that is varied. */
export interface Factor {
  readonly name: BehaviorName
  /** The first one is that of the baseline. */
  readonly values: readonly [string, ...string[]]
}

/** One value of a behavior. */
export interface Option {
  readonly name: BehaviorName
  readonly value: string
}

/** A value for every behavior that is varied. */
export type Combination = BehaviorChoices

/** The combination in which nothing is varied. */
export const baselineOf = (factors: readonly Factor[]): Combination =>
  Object.fromEntries(factors.map(({ name, values }) => [name, values[0]]))

/** The options of a combination that differ from another one. */
export const differences = (combination: Combination, from: Combination): Option[] =>
  optionsOf(combination).filter(({ name, value }) => from[name] !== value)

export const optionsOf = (combination: Combination): Option[] =>
  (Object.entries(combination) as [BehaviorName, string][]).map(([name, value]) => ({ name, value }))

/** Every pair of options that can occur together. */
export const pairsOf = (factors: readonly Factor[]): [Option, Option][] =>
  factors.flatMap(({ name, values }, index) =>
    values.flatMap((value) =>
      factors.slice(index + 1).flatMap((other) =>
        other.values.map((otherValue): [Option, Option] => [
          { name, value },
          { name: other.name, value: otherValue },
        ]),
      ),
    ),
  )

/** A combination with some options changed. */
export const withOptions = (combination: Combination, options: readonly Option[]): Combination => ({
  ...combination,
  ...Object.fromEntries(options.map(({ name, value }) => [name, value])),
})

export const hasAll = (combination: Combination, options: readonly Option[]): boolean =>
  options.every(({ name, value }) => combination[name] === value)

/** `payId=distinct` */
export const optionText = ({ name, value }: Option): string => `${name}=${value}`
