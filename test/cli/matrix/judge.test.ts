import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  hasAll,
  having,
  optionText,
  startOf,
  type Combination,
  type Factor,
  type Option,
} from '../../../server/cli/matrix/factor.ts'
import { judge } from '../../../server/cli/matrix/judge.ts'
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
  const judgement = await judge<Run>(
    factors,
    { passed: passes(startOf(factors), 1) },
    async (combinations) =>
      combinations.map((combination) => {
        count += 1
        return { passed: passes(combination, count) }
      }),
    restsOn,
  )
  const blamed = judgement.blamed.map(({ options }) => optionsText(options)).toSorted()
  return { ...judgement, blamed, count }
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
          (one) => !culprits.some((other) => other.length < one.length && hasAll(having({}, one), other)),
        )
        .map(optionsText),
    ),
  ].toSorted()

test('judge: finds every option or pair that breaks a suite, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(culprit(2), { maxLength: 3 }), async (culprits) => {
      const { blamed, alwaysFails, unsteady } = await judged(factors, failsWith(culprits))
      expect([blamed, alwaysFails, unsteady]).toEqual([least(culprits), false, undefined])
    }),
    { numRuns: 100 },
  )
})

test('judge: finds pairs that occur only beside other failing options', async () => {
  const culprits = [
    [option(1, 1), option(7, 1)],
    [option(0, 1), option(7, 1)],
    [option(0, 1), option(4, 1)],
  ]
  expect((await judged(factors, failsWith(culprits))).blamed).toEqual(least(culprits))
})

test('judge: finds options that break the suite in the first run, and others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 2, maxLength: 3 }),
      async ([first, second, other]) => {
        const culprits = [first!, second!].map((place) => [option(place, 0)])
        if (other !== undefined) culprits.push([option(other, 1)])
        const { blamed, alwaysFails } = await judged(factors, failsWith(culprits))
        // The suite passes only if both change, and one of the runs must have tried that.
        expect(alwaysFails ? least(culprits) : blamed).toEqual(least(culprits))
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
])('judge: to find %s, it needs at most %i runs', async (_what, runs, culprits) => {
  const { blamed, count } = await judged(factors, failsWith(culprits))
  expect(blamed).toEqual(least(culprits))
  expect(count).toBeLessThanOrEqual(runs)
})

test('judge: neither isolates nor repeats options that no run depended on', async () => {
  const culprits = [[option(0, 1)], [option(1, 1), option(2, 1)]]
  const relied = new Set([0, 1, 2].map((place) => factors[place]!.name))
  const all = await judged(factors, failsWith(culprits))
  const some = await judged(factors, failsWith(culprits), (_run, name) => relied.has(name))
  expect([all.blamed, some.blamed]).toEqual([least(culprits), least(culprits)])
  expect(some.count).toBeLessThan(all.count)
})

test('judge: finds an option even if no run reports depending on it', async () => {
  const culprits = [[option(3, 1)], [option(1, 1), option(2, 1)]]
  const { blamed } = await judged(factors, failsWith(culprits), () => false)
  expect(blamed).toEqual(expect.arrayContaining([optionsText(culprits[0]!)]))
})

test('judge: a suite that never passes fails always', async () => {
  const { alwaysFails, blamed, count } = await judged(factors, () => false)
  expect([alwaysFails, blamed, count]).toEqual([true, [], 9])
})

test.each<[when: string, failsAt: number]>([
  ['with nothing varied', 1],
  ['once among many', 4],
])('judge: a suite that fails %s and passes when repeated is unsteady', async (_when, failsAt) => {
  const { unsteady, blamed, alwaysFails } = await judged(factors, (_combination, time) => time !== failsAt)
  expect(unsteady?.map(({ run }) => run.passed)).toEqual([false, true])
  expect(unsteady?.[0].combination).toEqual(unsteady?.[1].combination)
  expect([blamed, alwaysFails]).toEqual([[], false])
})

test('judge: repeats a single option before it blames it', async () => {
  const one = factorsWith(2)
  expect((await judged(one, (_combination, time) => time !== 2)).blamed).toEqual([])
  const steady = await judged(one, (combination) => hasAll(combination, [option(0, 0)]))
  expect([steady.blamed, steady.count]).toEqual([[optionsText([option(0, 1)])], 3])
})
