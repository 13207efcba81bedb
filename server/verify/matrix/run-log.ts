import { hasAll, optionsOf, type Combination } from './factor.ts'

export interface Passing {
  readonly passed: boolean
}

/** One run of the suite. */
export interface CombinationRun<Run> {
  readonly combination: Combination
  readonly run: Run
}

export type RunLog<Run extends Passing> = ReturnType<typeof createRunLog<Run>>

/** The runs of a suite so far. A combination whose options a run had already is not run again. */
export function createRunLog<Run extends Passing>(
  first: CombinationRun<Run>,
  run: (combinations: readonly Combination[]) => Promise<readonly Run[]>,
) {
  const runs: CombinationRun<Run>[] = [first]

  const known = (combination: Combination): CombinationRun<Run> | undefined =>
    runs.find((ran) => hasAll(ran.combination, optionsOf(combination)))

  async function runNew(combinations: readonly Combination[]): Promise<void> {
    const wanted = combinations.filter((one) => known(one) === undefined)
    const results = await run(wanted)
    runs.push(...wanted.map((combination, index) => ({ combination, run: results[index]! })))
  }

  return {
    runs,
    known,
    runNew,
    async passes(combination: Combination): Promise<boolean> {
      await runNew([combination])
      return known(combination)!.run.passed
    },
    /** Repeats a failed run. Returns both runs if it passes now. */
    async repeat(
      failed: CombinationRun<Run>,
    ): Promise<readonly [failed: CombinationRun<Run>, passed: CombinationRun<Run>] | undefined> {
      const [result] = await run([failed.combination])
      const repeated = { combination: failed.combination, run: result! }
      runs.push(repeated)
      return result!.passed ? [failed, repeated] : undefined
    },
    passing: (): CombinationRun<Run>[] => runs.filter((ran) => ran.run.passed),
    failing: (): CombinationRun<Run>[] => runs.filter((ran) => !ran.run.passed),
  }
}
