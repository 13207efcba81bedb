import type { BehaviorName } from '../../domain/behaviors/open-points.ts'

/** One value of a behavior. */
export interface BehaviorOption {
  readonly name: BehaviorName
  readonly value: string
}

export const optionText = ({ name, value }: BehaviorOption): string => `${name}=${value}`

/** `nothing varied`, or a list like `payId=distinct webhookEncoding=json`. */
export const optionsText = (options: readonly BehaviorOption[]): string =>
  options.length === 0 ? 'nothing varied' : options.map(optionText).join(' ')

export const isSameOption = (one: BehaviorOption, other: BehaviorOption): boolean =>
  one.name === other.name && one.value === other.value

/** All pairs of options of different behaviors. */
export const pairsOf = (options: readonly BehaviorOption[]): (readonly [BehaviorOption, BehaviorOption])[] =>
  options.flatMap((one, index) =>
    options
      .slice(index + 1)
      .filter(({ name }) => name !== one.name)
      .map((other) => [one, other] as const),
  )
