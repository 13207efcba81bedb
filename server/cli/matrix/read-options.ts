import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import {
  isBehaviorName,
  isBehaviorValue,
  behaviorNames,
  optionNames,
  describeOptions,
} from '../../domain/behaviors/behavior.ts'
import { behaviorRow, type BehaviorName } from '../../domain/behaviors/open-points.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { optionText, type Factor, type Option } from '../../verify/matrix/factor.ts'

/** The value of `--matrix` without one. */
const ALL_BEHAVIORS = 'all'

/** The options that `--matrix` asks for: `all`, or `payId,webhookEncoding=json`. `undefined` stands for all. */
export function readMatrixFlag(text: string): readonly Option[] | undefined {
  if (text === ALL_BEHAVIORS) return undefined
  return entriesIn(text).flatMap((entry) => {
    const [name = '', value] = entry.split(/=(.*)/s)
    if (!isBehaviorName(name)) {
      throw new UsageError(
        `${name || 'An empty text'} is not a behavior.${didYouMeanSentence(name, behaviorNames)} --matrix must be ${ALL_BEHAVIORS}, or behaviors like payId,webhookEncoding=json.`,
      )
    }
    if (value === undefined) return valuesOf(name).map((one) => ({ name, value: one }))
    if (isBehaviorValue(name, value)) return [{ name, value }]
    throw new UsageError(`--matrix ${name} is ${value || 'empty'}. It must be ${describeOptions(name)}.`)
  })
}

/** Splits at commas, except inside a value like `retries=1s,5s`. */
function entriesIn(text: string): string[] {
  const entries: string[] = []
  for (const part of text.split(',').map((entry) => entry.trim())) {
    const before = entries.at(-1)
    const [name = '', value] = before?.split('=') ?? []
    const continuesValue =
      value !== undefined && isBehaviorName(name) && isBehaviorValue(name, `${value},${part}`)
    if (continuesValue) entries[entries.length - 1] = `${before},${part}`
    else entries.push(part)
  }
  return entries
}

const valuesOf = (name: BehaviorName): string[] => {
  const example = behaviorRow(name).pattern?.example
  return [...optionNames(name), ...(example === undefined ? [] : [example])]
}

/**
 * The behaviors to vary, with the value of the baseline first. Without names these are all with several options, except
 * those that were chosen: a choice means that the user knows what the service does.
 */
export function factorsOf(
  wanted: readonly Option[] | undefined,
  inForce: Readonly<Record<BehaviorName, string>>,
  chosen: readonly BehaviorName[],
): Factor[] {
  const options = wanted ?? defaults(chosen)
  const factors = behaviorNames.flatMap((name): Factor[] => {
    const first = inForce[name]
    const others = options.filter((one) => one.name === name && one.value !== first).map(({ value }) => value)
    return others.length === 0 ? [] : [{ name, values: [first, ...new Set(others)] }]
  })
  if (factors.length > 0) return factors
  throw new UsageError(
    wanted === undefined
      ? 'Every behavior was chosen by --behavior, the environment, the configuration or the seed, so nothing is left to vary. Name some: --matrix payId,webhookEncoding.'
      : `${wanted.map(optionText).join(', ')} is in force already, so there is nothing to vary. Name another value, or the behavior alone.`,
  )
}

const defaults = (chosen: readonly BehaviorName[]): Option[] =>
  behaviorNames
    .filter((name) => !behaviorRow(name).isVariedOnlyIfNamed && !chosen.includes(name))
    .flatMap((name) => valuesOf(name).map((value) => ({ name, value })))
