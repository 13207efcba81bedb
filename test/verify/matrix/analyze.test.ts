import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  hasAll,
  withOptions,
  optionText,
  baselineOf,
  type Combination,
  type Factor,
  type Option,
} from '../../../server/verify/matrix/factor.ts'
import { analyze } from '../../../server/verify/matrix/analyze.ts'
import { factorsWith } from '../../support/factors.ts'

const optionsText = (options: readonly Option[]): string => options.map(optionText).join(' ')

interface Run {
  readonly passed: boolean
}

/** Judges a suite and counts its runs. */
async function judged(
  factors: readonly Factor[],
  passes: (combination: Combination, time: number) => boolean,
  restsOn: (run: Run, name: Factor['name']) => boolean = () => true,
) {
  let count = 1
  const judgement = await analyze<Run>(
    factors,
    { passed: passes(baselineOf(factors), 1) },
    async (combinations) =>
      combinations.map((combination) => {
        count += 1
        return { passed: passes(combination, count) }
      }),
    restsOn,
  )
  const causes = judgement.causes.map(({ options }) => optionsText(options)).toSorted()
  return { ...judgement, causes, count }
}

/** A suite that fails with any of these sets of options. */
const failsWith =
  (culprits: readonly (readonly Option[])[]) =>
  (combination: Combination): boolean =>
    !culprits.some((options) => hasAll(combination, options))

/** As many as the behaviors that vary by default. */
const factors = factorsWith(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3)

const option = (place: number, value: number): Option => ({
  name: factors[place]!.name,
  value: factors[place]!.values[value]!,
})

const culprit = (most: number) =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: factors.length - 1 }), { minLength: 1, maxLength: most })
    .map((places) => places.toSorted((one, other) => one - other).map((place) => option(place, 1)))

/** Leaves out sets that contain a smaller culprit. */
const least = (culprits: readonly (readonly Option[])[]): string[] =>
  [
    ...new Set(
      culprits
        .filter(
          (one) =>
            !culprits.some((other) => other.length < one.length && hasAll(withOptions({}, one), other)),
        )
        .map(optionsText),
    ),
  ].toSorted()

test('analyze: finds every option or pair that breaks a suite, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(culprit(2), { maxLength: 3 }), async (culprits) => {
      const { causes, alwaysFails, flaky } = await judged(factors, failsWith(culprits))
      expect([causes, alwaysFails, flaky]).toEqual([least(culprits), false, undefined])
    }),
    { numRuns: 100 },
  )
})

test('analyze: finds pairs that occur only beside other failing options', async () => {
  const culprits = [
    [option(1, 1), option(7, 1)],
    [option(0, 1), option(7, 1)],
    [option(0, 1), option(4, 1)],
  ]
  expect((await judged(factors, failsWith(culprits))).causes).toEqual(least(culprits))
})

test('analyze: finds options that break the suite in the first run, and others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 2, maxLength: 3 }),
      async ([first, second, other]) => {
        const culprits = [first!, second!].map((place) => [option(place, 0)])
        if (other !== undefined) culprits.push([option(other, 1)])
        const { causes, alwaysFails } = await judged(factors, failsWith(culprits))
        // The suite passes only if both change, and one of the runs must have tried that.
        expect(alwaysFails ? least(culprits) : causes).toEqual(least(culprits))
      },
    ),
    { numRuns: 100 },
  )
})

test.each<[what: string, runs: number, culprits: Option[][]]>([
  ['nothing', 9, []],
  ['one option', 16, [[option(0, 1)]]],
  ['the option in force', 18, [[option(2, 0)]]],
  ['two together', 21, [[option(0, 1), option(5, 1)]]],
])('analyze: to find %s, it needs at most %i runs', async (_what, runs, culprits) => {
  const { causes, count } = await judged(factors, failsWith(culprits))
  expect(causes).toEqual(least(culprits))
  expect(count).toBeLessThanOrEqual(runs)
})

test('analyze: neither isolates nor repeats options that no run depended on', async () => {
  const culprits = [[option(0, 1)], [option(1, 1), option(2, 1)]]
  const dependedOn = new Set([0, 1, 2].map((place) => factors[place]!.name))
  const all = await judged(factors, failsWith(culprits))
  const some = await judged(factors, failsWith(culprits), (_run, name) => dependedOn.has(name))
  expect([all.causes, some.causes]).toEqual([least(culprits), least(culprits)])
  expect(some.count).toBeLessThan(all.count)
})

test('analyze: finds an option even if no run reports depending on it', async () => {
  const culprits = [[option(3, 1)], [option(1, 1), option(2, 1)]]
  const { causes } = await judged(factors, failsWith(culprits), () => false)
  expect(causes).toEqual(expect.arrayContaining([optionsText(culprits[0]!)]))
})

test('analyze: reports a suite that never passes', async () => {
  const { alwaysFails, causes, count } = await judged(factors, () => false)
  expect([alwaysFails, causes, count]).toEqual([true, [], 9])
})

test.each<[when: string, failsAt: number]>([
  ['with nothing varied', 1],
  ['once among many', 4],
])('analyze: a suite that fails %s and passes when repeated is flaky', async (_when, failsAt) => {
  const { flaky, causes, alwaysFails } = await judged(factors, (_combination, time) => time !== failsAt)
  expect(flaky?.map(({ run }) => run.passed)).toEqual([false, true])
  expect(flaky?.[0].combination).toEqual(flaky?.[1].combination)
  expect([causes, alwaysFails]).toEqual([[], false])
})

test('analyze: repeats a single option before it blames it', async () => {
  const one = factorsWith(2)
  expect((await judged(one, (_combination, time) => time !== 2)).causes).toEqual([])
  const steady = await judged(one, (combination) => hasAll(combination, [option(0, 0)]))
  expect([steady.causes, steady.count]).toEqual([[optionsText([option(0, 1)])], 3])
})
