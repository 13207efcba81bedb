import {
  behaviorRow,
  behaviors,
  type AssumptionName,
  type BehaviorName,
  type fixedAssumptions,
} from './open-points.ts'

/** The value of every behavior: one of its options, or a value that matches its pattern. */
export type BehaviorSettings = {
  readonly [Name in BehaviorName]:
    | keyof (typeof behaviors)[Name]['options']
    | ((typeof behaviors)[Name] extends {
        readonly pattern: { readonly matches: (value: string) => value is infer Value extends string }
      }
        ? Value
        : never)
}

/** Values that were set for an account, for the sandbox, or by startup options. */
export type BehaviorChoices = Partial<BehaviorSettings>

export const behaviorNames = Object.keys(behaviors) as readonly BehaviorName[]

export const isBehaviorName = (name: string): name is BehaviorName => Object.hasOwn(behaviors, name)

/** The options of a behavior, without those that only its pattern allows. The first is the default. */
export const optionNames = (name: BehaviorName): string[] => Object.keys(behaviors[name].options)

export const defaultOption = (name: BehaviorName): string => optionNames(name)[0]!

/** The meaning of an option, or of the pattern. */
export function optionMeaning(name: BehaviorName, option: string): string {
  const { options, pattern } = behaviorRow(name)
  return option === pattern?.text ? pattern.meaning : (options[option] ?? '')
}

/** Whether a behavior can have a value. */
export function isBehaviorValue(name: BehaviorName, value: string): boolean {
  return Object.hasOwn(behaviors[name].options, value) || (behaviorRow(name).pattern?.matches(value) ?? false)
}

/** The options, and the notation of the pattern's values, for a menu. */
export function listOptions(name: BehaviorName): string[] {
  const { pattern } = behaviorRow(name)
  return pattern ? [...optionNames(name), pattern.text] : optionNames(name)
}

/** The options in words: `none or <n>/min`. */
export function describeOptions(name: BehaviorName): string {
  const hint = behaviorRow(name).pattern?.hint
  return listOptions(name).join(' or ') + (hint === undefined ? '' : `, ${hint}`)
}

/** The value of every behavior: the last value that was set, or the default. */
export function resolveBehaviors(...choices: readonly BehaviorChoices[]): BehaviorSettings {
  const defaults = Object.fromEntries(behaviorNames.map((name) => [name, defaultOption(name)]))
  return Object.assign(defaults, ...choices) as BehaviorSettings
}

/**
 * The open points that a comparison with the real service has confirmed. If the point is a behavior, its value is the service's
 * option.
 */
export type ConfirmedPoints = ReadonlyMap<AssumptionName, string | undefined>

export const NOTHING_CONFIRMED: ConfirmedPoints = new Map()

/** The active behaviors of an account. Remembers which of them a response depends on, for the header `Sandbox-Assumed`. */
export class ActiveBehaviors {
  /** The values, for code whose response does not depend on them. */
  readonly settings: BehaviorSettings
  readonly #confirmedPoints: ConfirmedPoints
  readonly #used = new Set<AssumptionName>()

  constructor(settings: BehaviorSettings, confirmedPoints: ConfirmedPoints) {
    this.settings = settings
    this.#confirmedPoints = confirmedPoints
  }

  /** Returns the value of a behavior, and remembers that the response depends on it. */
  dependOn<Name extends BehaviorName>(name: Name): BehaviorSettings[Name] {
    this.#used.add(name)
    return this.settings[name]
  }

  markAssumptions(...names: readonly (keyof typeof fixedAssumptions)[]): void {
    for (const name of names) this.#used.add(name)
  }

  /** The assumptions that the response depends on, in the sequence in which they were first used. */
  get used(): AssumptionName[] {
    return [...this.#used].filter((name) => !this.#isConfirmed(name))
  }

  /**
   * The points that the response depends on and that a comparison with the real service has confirmed. They are no longer
   * assumptions.
   */
  get confirmed(): AssumptionName[] {
    return [...this.#used].filter((name) => this.#isConfirmed(name))
  }

  #isConfirmed(name: AssumptionName): boolean {
    if (!this.#confirmedPoints.has(name)) return false
    return !isBehaviorName(name) || this.#confirmedPoints.get(name) === this.settings[name]
  }
}
