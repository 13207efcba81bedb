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
import type { MatrixFlags } from './matrix-flags.ts'
import { optionText, type BehaviorOption } from './option.ts'

/** The value of `--matrix` if the flag is passed without a value. */
const ALL_BEHAVIORS = 'all'

/** The options that the flags list, including those that are already the defaults of this run. */
interface NamedOptions {
  /** The options to try one at a time. `undefined` stands for all options of behaviors that the user has not set. */
  readonly alone: readonly BehaviorOption[] | undefined
  /** The options to try in pairs. */
  readonly paired: readonly BehaviorOption[]
}

/** Reads `--matrix` and `--pairs`: `all`, or behaviors and options like `payId,webhookEncoding=json`. */
export function readNamedOptions({ matrix, pairs }: Pick<MatrixFlags, 'matrix' | 'pairs'>): NamedOptions {
  const paired = pairs === undefined ? [] : optionsIn('pairs', pairs)
  if (pairs !== undefined && namesOf(paired).length < 2) {
    throw new UsageError(
      `--pairs ${pairs} names one behavior. Name two or more, like --pairs payId,webhookEncoding.`,
    )
  }
  if (matrix === ALL_BEHAVIORS) return { alone: undefined, paired }
  return { alone: matrix === undefined ? [] : optionsIn('matrix', matrix), paired }
}

function optionsIn(flag: 'matrix' | 'pairs', text: string): readonly BehaviorOption[] {
  const example = `${flag === 'matrix' ? `${ALL_BEHAVIORS}, or ` : ''}behaviors like payId,webhookEncoding=json`
  return entriesIn(text).flatMap((entry) => {
    const [name = '', value] = entry.split(/=(.*)/s)
    if (!isBehaviorName(name)) {
      throw new UsageError(
        `${name || 'An empty text'} is not a behavior.${didYouMeanSentence(name, behaviorNames)} --${flag} must be ${example}.`,
      )
    }
    if (value === undefined) return valuesOf(name).map((one) => ({ name, value: one }))
    if (isBehaviorValue(name, value)) return [{ name, value }]
    throw new UsageError(`--${flag} ${name} is ${value || 'empty'}. It must be ${describeOptions(name)}.`)
  })
}

/** Splits a text at commas, except inside a list like `retries=1s,5s`, which extends to the next behavior. */
function entriesIn(text: string): string[] {
  const entries: string[] = []
  for (const part of text.split(',').map((entry) => entry.trim())) {
    const before = entries.at(-1)
    const [name = '', value] = before?.split('=') ?? []
    const isInList = value !== undefined && isBehaviorName(name) && behaviorRow(name).pattern !== undefined
    if (isInList && !isBehaviorName(part.split('=')[0]!)) entries[entries.length - 1] = `${before},${part}`
    else entries.push(part)
  }
  return entries
}

function valuesOf(name: BehaviorName, isNamed = true): string[] {
  const { pattern } = behaviorRow(name)
  const isTried = pattern !== undefined && (isNamed || !pattern.isTriedOnlyIfNamed)
  return [...optionNames(name), ...(isTried ? [pattern.example] : [])]
}

/**
 * The options to try, in the sequence of the behaviors, without those that already apply. If the flags list none, these are all
 * options of behaviors that the user has not set, because whoever sets a behavior knows what the service does.
 */
export function optionsToTry(
  named: NamedOptions,
  inForce: Readonly<Record<BehaviorName, string>>,
  chosen: readonly BehaviorName[],
): { readonly options: readonly BehaviorOption[]; readonly paired: readonly BehaviorOption[] } {
  const isNew = ({ name, value }: BehaviorOption): boolean => inForce[name] !== value
  const options = sortOptions([...(named.alone ?? defaults(chosen)), ...named.paired].filter(isNew))
  const paired = sortOptions(named.paired.filter(isNew))
  if (named.paired.length > 0 && namesOf(paired).length < 2)
    throw nothingLeft('combine', named.paired, paired)
  if (options.length > 0) return { options, paired }
  if (named.alone !== undefined) throw nothingLeft('vary', named.alone, options)
  throw new UsageError(
    'Every behavior was chosen by --behavior, the environment, the configuration or the seed, so nothing is left to vary. Name some: --matrix payId,webhookEncoding.',
  )
}

/** The error if all listed options already apply. `rest` lists the other options of their behaviors. */
function nothingLeft(
  purpose: string,
  named: readonly BehaviorOption[],
  rest: readonly BehaviorOption[],
): UsageError {
  const inForce = sortOptions(named.filter(({ name }) => !namesOf(rest).includes(name)))
  return new UsageError(
    `${inForce.map(optionText).join(', ')} ${inForce.length === 1 ? 'is' : 'are'} already in force, so there is nothing to ${purpose}. Name a different value, or the behavior without a value.`,
  )
}

const namesOf = (options: readonly BehaviorOption[]): BehaviorName[] => [
  ...new Set(options.map(({ name }) => name)),
]

const sortOptions = (options: readonly BehaviorOption[]): BehaviorOption[] =>
  behaviorNames.flatMap((name) =>
    [...new Set(options.filter((one) => one.name === name).map(({ value }) => value))].map((value) => ({
      name,
      value,
    })),
  )

const defaults = (chosen: readonly BehaviorName[]): BehaviorOption[] =>
  behaviorNames
    .filter((name) => !behaviorRow(name).isVariedOnlyIfNamed && !chosen.includes(name))
    .flatMap((name) => valuesOf(name, false).map((value) => ({ name, value })))
