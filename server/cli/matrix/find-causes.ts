import { behaviorNames } from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import { isSameOption, pairsOf, type BehaviorOption } from './option.ts'

/** One run of a suite with some options changed. In the first run, none is changed. */
export interface MatrixRun<Run> {
  readonly changed: readonly BehaviorOption[]
  readonly run: Run
}

/** Options that together make the suite fail. If any one of them is left out, the suite passes. */
export interface BreakingOptions<Run> {
  readonly options: readonly BehaviorOption[]
  readonly failed: MatrixRun<Run>
}

export interface Matrix<Run> {
  readonly runs: readonly MatrixRun<Run>[]
  readonly causes: readonly BreakingOptions<Run>[]
  /** A run that failed, but passed when it was repeated. */
  readonly flaky: readonly [failed: MatrixRun<Run>, passed: MatrixRun<Run>] | undefined
}

interface Plan {
  /** The options to try one at a time. */
  readonly options: readonly BehaviorOption[]
  /** The options to try in pairs. */
  readonly paired: readonly BehaviorOption[]
  /** The value of each behavior in the first run. */
  readonly inForce: Readonly<Record<BehaviorName, string>>
}

/**
 * Finds the options that make a suite fail. Runs the suite with each option alone, and then with pairs of those options that did
 * not break it alone. An option is blamed for a failure if the suite passes in a run that differs only in this option. The
 * failing run is then repeated, because a flaky suite may fail with any option.
 */
export async function findCauses<Run extends { readonly passed: boolean }>(
  first: Run,
  { options, paired, inForce }: Plan,
  runEach: (combinations: readonly (readonly BehaviorOption[])[]) => Promise<readonly Run[]>,
): Promise<Matrix<Run>> {
  async function runAll(combinations: readonly (readonly BehaviorOption[])[]): Promise<MatrixRun<Run>[]> {
    const results = await runEach(combinations)
    return combinations.map((changed, index) => ({ changed, run: results[index]! }))
  }

  const alone = await runAll(options.map((option) => [option]))
  const withoutEffect = paired.filter((option) =>
    alone.some(({ changed, run }) => isSameOption(changed[0]!, option) && run.passed === first.passed),
  )
  const pairs = await runAll(pairsOf(withoutEffect))
  const runs: MatrixRun<Run>[] = [{ changed: [], run: first }, ...alone, ...pairs]

  const passing = runs.filter(({ run }) => run.passed)
  const suspects = runs
    .filter(({ run }) => !run.passed)
    .map((failed): BreakingOptions<Run> => {
      const names = new Set(passing.flatMap(({ changed }) => onlyDifference(failed.changed, changed) ?? []))
      const blamed = behaviorNames
        .filter((name) => names.has(name))
        .map((name) => ({
          name,
          value: valueIn(failed.changed, name) ?? inForce[name],
        }))
      return { options: blamed, failed }
    })
    .filter(({ options: blamed }) => blamed.length > 0)
  const repeated = await runAll(suspects.map(({ failed }) => failed.changed))
  const flakyAt = repeated.findIndex(({ run }) => run.passed)

  return {
    runs: [...runs, ...repeated],
    causes: suspects.filter((_suspect, index) => !repeated[index]!.run.passed),
    flaky: flakyAt === -1 ? undefined : [suspects[flakyAt]!.failed, repeated[flakyAt]!],
  }
}

/** The behavior in which two runs differ, if there is exactly one. */
function onlyDifference(
  one: readonly BehaviorOption[],
  other: readonly BehaviorOption[],
): BehaviorName | undefined {
  const names = new Set([...one, ...other].map(({ name }) => name))
  const differing = [...names].filter((name) => valueIn(one, name) !== valueIn(other, name))
  return differing.length === 1 ? differing[0] : undefined
}

const valueIn = (changed: readonly BehaviorOption[], name: BehaviorName): string | undefined =>
  changed.find((option) => option.name === name)?.value
