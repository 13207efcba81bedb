import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import { differences, hasAll, withOptions, baselineOf } from './factor.ts'
import type { Combination, Factor, Option } from './factor.ts'
import { pairwise } from './pairwise.ts'
import { minimize } from './minimize.ts'
import { createRunLog, type CombinationRun, type Passing } from './run-log.ts'
import { untestedCombinations } from './untested-combinations.ts'

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
  const log = createRunLog({ combination: start, run: baseline }, run)
  const { runs, known, passing } = log
  const causes: Cause<Run>[] = []
  const ended = (rest: Partial<Analysis<Run>> = {}): Analysis<Run> => ({
    runs,
    causes,
    flaky: undefined,
    alwaysFails: false,
    ...rest,
  })

  const isExplained = ({ combination }: CombinationRun<Run>): boolean =>
    causes.some(({ options }) => hasAll(combination, options))

  await log.runNew(pairwise(factors, [start]))

  let base = start
  if (!baseline.passed) {
    if (passing().length === 0) return ended({ alwaysFails: true })
    const flaky = await log.repeat(runs[0]!)
    if (flaky) return ended({ flaky })
    const fixingOptions = await minimize(await findFixingOptions(), (options) =>
      log.passes(withOptions(start, options)),
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
    const suffices = common.length > 0 && (await log.passes(withOptions(start, common)))
    return suffices ? common : fewest
  }

  for (;;) {
    const open = log.failing().filter((ran) => !isExplained(ran))
    if (open.length === 0) {
      const untested = untestedCombinations(factors, base, log, causes, dependsOn)
      if (untested.length === 0) return ended()
      await log.runNew(untested)
      continue
    }
    const suspects = suspectsIn(open, factors, base, passing(), dependsOn)
    await log.runNew(suspects.map((option) => withOptions(base, [option])))
    const failingAlone = suspects.filter((option) => !known(withOptions(base, [option]))!.run.passed)
    for (const option of failingAlone) {
      const failed = known(withOptions(base, [option]))!
      // Two failing runs with this option and no passing one are proof. A single failing run is repeated.
      const isAlone = log.failing().filter((ran) => hasAll(ran.combination, [option])).length === 1
      const flaky = isAlone ? await log.repeat(failed) : undefined
      if (flaky) return ended({ flaky })
      causes.push({ options: [option], failed })
    }
    if (failingAlone.length > 0) continue

    const failed = open.toSorted((one, other) => distance(one) - distance(other))[0]!
    const flaky = await log.repeat(failed)
    if (flaky) return ended({ flaky })
    const options = await minimize(await candidateOptions(failed), fails)
    causes.push({ options, failed: known(withOptions(base, options)) ?? failed })
  }

  async function fails(options: readonly Option[]): Promise<boolean> {
    return !(await log.passes(withOptions(base, options)))
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
}

/** The options of failing runs with which no run has passed. */
function suspectsIn<Run>(
  open: readonly CombinationRun<Run>[],
  factors: readonly Factor[],
  base: Combination,
  passing: readonly CombinationRun<Run>[],
  dependsOn: (run: Run, name: BehaviorName) => boolean,
): Option[] {
  return factors.flatMap(({ name, values }) =>
    values
      .map((value): Option => ({ name, value }))
      .filter(
        (option) =>
          base[name] !== option.value &&
          open.some((ran) => hasAll(ran.combination, [option]) && dependsOn(ran.run, name)) &&
          !passing.some((ran) => hasAll(ran.combination, [option])),
      ),
  )
}
