import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import { differences, hasAll, withOptions, optionsOf, pairsOf, baselineOf } from './factor.ts'
import type { Combination, Factor, Option } from './factor.ts'
import { pairwise } from './pairwise.ts'
import { minimize } from './minimize.ts'

interface Passing {
  readonly passed: boolean
}

/** One run of the suite. */
export interface CombinationRun<Run> {
  readonly combination: Combination
  readonly run: Run
}

/** A minimal set of options with which the suite fails. Usually there is only one. */
export interface Cause<Run> {
  readonly options: readonly Option[]
  /** The failing run with the fewest other options. */
  readonly failed: CombinationRun<Run>
}

export interface Analysis<Run> {
  readonly runs: readonly CombinationRun<Run>[]
  readonly causes: readonly Cause<Run>[]
  /** A combination that failed, and passed when it was repeated. It ends the analysis. */
  readonly flaky: readonly [failed: CombinationRun<Run>, passed: CombinationRun<Run>] | undefined
  /** Whether no run passed. */
  readonly alwaysFails: boolean
}

/**
 * Finds the options that make a suite fail. After the baseline, it runs a set of combinations that contains every pair of
 * options. It narrows a failure down with few further runs, first to the behaviors that the failing run depended on.
 * Runs that do not depend on each other are requested together.
 */
export async function analyze<Run extends Passing>(
  factors: readonly Factor[],
  baseline: Run,
  run: (combinations: readonly Combination[]) => Promise<readonly Run[]>,
  dependsOn: (run: Run, name: BehaviorName) => boolean,
): Promise<Analysis<Run>> {
  const start = baselineOf(factors)
  const runs: CombinationRun<Run>[] = [{ combination: start, run: baseline }]
  const causes: Cause<Run>[] = []
  const ended = (rest: Partial<Analysis<Run>> = {}): Analysis<Run> => ({
    runs,
    causes,
    flaky: undefined,
    alwaysFails: false,
    ...rest,
  })

  const known = (combination: Combination): CombinationRun<Run> | undefined =>
    runs.find((ran) => hasAll(ran.combination, optionsOf(combination)))
  const runNew = async (combinations: readonly Combination[]): Promise<CombinationRun<Run>[]> => {
    const wanted = combinations.filter((one) => known(one) === undefined)
    const results = await run(wanted)
    const ran = wanted.map((combination, index) => ({ combination, run: results[index]! }))
    runs.push(...ran)
    return ran
  }
  const passes = async (combination: Combination): Promise<boolean> => {
    await runNew([combination])
    return known(combination)!.run.passed
  }
  /** Repeats a failed run. Returns both runs if it passes now. */
  const repeatRun = async (failed: CombinationRun<Run>): Promise<Analysis<Run>['flaky']> => {
    const [result] = await run([failed.combination])
    const repeated = { combination: failed.combination, run: result! }
    runs.push(repeated)
    return result!.passed ? [failed, repeated] : undefined
  }
  const passing = (): CombinationRun<Run>[] => runs.filter((ran) => ran.run.passed)
  const failing = (): CombinationRun<Run>[] => runs.filter((ran) => !ran.run.passed)
  const isExplained = ({ combination }: CombinationRun<Run>): boolean =>
    causes.some(({ options }) => hasAll(combination, options))

  await runNew(pairwise(factors, [start]))

  let base = start
  if (!baseline.passed) {
    if (passing().length === 0) return ended({ alwaysFails: true })
    const flaky = await repeatRun(runs[0]!)
    if (flaky) return ended({ flaky })
    const fixingOptions = await minimize(await findFixingOptions(), (options) =>
      passes(withOptions(start, options)),
    )
    base = withOptions(start, fixingOptions)
    for (const { name } of fixingOptions) {
      const option = { name, value: start[name]! }
      causes.push({ options: [option], failed: known(withOptions(base, [option])) ?? runs[0]! })
    }
  }

  /** If the baseline fails, the options that make the suite pass: those of all passing runs, if they suffice. */
  async function findFixingOptions(): Promise<Option[]> {
    const changed = passing().map(({ combination }) => differences(combination, start))
    const fewest = changed.toSorted((one, other) => one.length - other.length)[0]!
    const common = fewest.filter((option) => passing().every((ran) => hasAll(ran.combination, [option])))
    const suffices = common.length > 0 && (await passes(withOptions(start, common)))
    return suffices ? common : fewest
  }

  for (;;) {
    const open = failing().filter((ran) => !isExplained(ran))
    if (open.length === 0) {
      const untested = untestedCombinations()
      if (untested.length === 0) return ended()
      await runNew(untested)
      continue
    }
    const suspects = suspectsIn(open)
    await runNew(suspects.map((option) => withOptions(base, [option])))
    const failingAlone = suspects.filter((option) => !known(withOptions(base, [option]))!.run.passed)
    for (const option of failingAlone) {
      const failed = known(withOptions(base, [option]))!
      // Two failing runs with this option and no passing one are proof. A single failing run is repeated.
      const isAlone = failing().filter((ran) => hasAll(ran.combination, [option])).length === 1
      const flaky = isAlone ? await repeatRun(failed) : undefined
      if (flaky) return ended({ flaky })
      causes.push({ options: [option], failed })
    }
    if (failingAlone.length > 0) continue

    const failed = open.toSorted((one, other) => distance(one) - distance(other))[0]!
    const flaky = await repeatRun(failed)
    if (flaky) return ended({ flaky })
    const options = await minimize(await candidateOptions(failed), fails)
    causes.push({ options, failed: known(withOptions(base, options)) ?? failed })
  }

  async function fails(options: readonly Option[]): Promise<boolean> {
    return !(await passes(withOptions(base, options)))
  }

  /**
   * Returns the options to minimize: those that the failing run depended on, or all of its options if those alone
   * do not fail.
   */
  async function candidateOptions({
    combination,
    run: failed,
  }: CombinationRun<Run>): Promise<readonly Option[]> {
    const all = differences(combination, base)
    const some = all.filter(({ name }) => dependsOn(failed, name))
    return some.length > 0 && (await fails(some)) ? some : all
  }

  function distance({ combination }: CombinationRun<Run>): number {
    return differences(combination, base).length
  }

  /** The options of failing runs with which no run has passed. */
  function suspectsIn(open: readonly CombinationRun<Run>[]): Option[] {
    return factors.flatMap(({ name, values }) =>
      values
        .map((value): Option => ({ name, value }))
        .filter(
          (option) =>
            base[name] !== option.value &&
            open.some((ran) => hasAll(ran.combination, [option]) && dependsOn(ran.run, name)) &&
            !passing().some((ran) => hasAll(ran.combination, [option])),
        ),
    )
  }

  /**
   * Combinations for pairs of options that no run has tested yet, because a known cause made every such run fail.
   */
  function untestedCombinations(): Combination[] {
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
}
