import fc from 'fast-check'
import { expect, test } from 'vitest'
import { behaviorNames } from '../../../server/domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../../server/domain/behaviors/open-points.ts'
import { findCauses } from '../../../server/cli/matrix/find-causes.ts'
import { optionsText, pairsOf, type BehaviorOption } from '../../../server/cli/matrix/option.ts'

const names = behaviorNames.slice(0, 12)

const inForce = Object.fromEntries(names.map((name) => [name, 'v0'])) as Record<BehaviorName, string>

const option = (place: number, value: number): BehaviorOption => ({ name: names[place]!, value: `v${value}` })

/** Two further options of each behavior. */
const options = names.flatMap((_name, place) => [option(place, 1), option(place, 2)])

/** A suite that fails if all options of one of these sets are active. */
const failsWith =
  (culprits: readonly (readonly BehaviorOption[])[]) =>
  (changed: readonly BehaviorOption[]): boolean => {
    const settings = { ...inForce, ...Object.fromEntries(changed.map(({ name, value }) => [name, value])) }
    return !culprits.some((all) => all.every(({ name, value }) => settings[name] === value))
  }

/** Finds the causes for a suite, and counts its runs. */
async function causesOf(
  passes: (changed: readonly BehaviorOption[], time: number) => boolean,
  paired: readonly BehaviorOption[] = [],
  tried = options,
) {
  let count = 1
  const result = await findCauses(
    { passed: passes([], 1) },
    { options: tried, paired, inForce },
    async (combinations) => combinations.map((changed) => ({ passed: passes(changed, (count += 1)) })),
  )
  expect(result.runs).toHaveLength(count)
  return { ...result, causes: result.causes.map(({ options: blamed }) => optionsText(blamed)), count }
}

const texts = (culprits: readonly (readonly BehaviorOption[])[]): string[] => [
  ...new Set(culprits.map(optionsText)),
]

const changedOption = fc
  .tuple(fc.integer({ min: 0, max: names.length - 1 }), fc.integer({ min: 1, max: 2 }))
  .map(([place, value]) => option(place, value))

test('the matrix finds each option that breaks the suite, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changedOption, { maxLength: 4 }), async (culprits) => {
      const sets = culprits.map((culprit) => [culprit])
      const { causes, count } = await causesOf(failsWith(sets))
      expect(causes.toSorted()).toEqual(texts(sets).toSorted())
      // The first run, one for each option, and one repetition for each cause.
      expect(count).toBe(1 + options.length + causes.length)
    }),
  )
})

test('the matrix finds a pair of options if only both together break the suite', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(changedOption, changedOption), { minLength: 1, maxLength: 3 }),
      fc.array(changedOption, { maxLength: 2 }),
      async (couples, single) => {
        const pairs = couples
          .filter(([one, other]) => one.name !== other.name)
          .map((pair) => pair.toSorted((one, other) => options.indexOf(one) - options.indexOf(other)))
        const pairedNames = new Set(pairs.flat().map((one) => optionsText([one])))
        const paired = options.filter((one) => pairedNames.has(optionsText([one])))
        const alone = new Set(texts(single.map((one) => [one])))
        const { causes } = await causesOf(failsWith([...pairs, ...single.map((one) => [one])]), paired)
        const together = texts(pairs).filter((text) => !text.split(' ').some((one) => alone.has(one)))
        const inOneOrder = (all: Iterable<string>) =>
          [...all].map((text) => text.split(' ').toSorted().join(' ')).toSorted()
        expect(inOneOrder(causes)).toEqual([...new Set(inOneOrder([...alone, ...together]))])
      },
    ),
  )
})

test.each<[what: string, culprits: BehaviorOption[][], paired: BehaviorOption[], causes: BehaviorOption[][]]>(
  [
    ['an option in force', [[option(3, 0)]], [], [[option(3, 0)]]],
    [
      'an option in force, and another one',
      [[option(3, 0)], [option(3, 2)]],
      [],
      [[option(3, 0)], [option(3, 2)]],
    ],
    [
      'two options in force that fail only together',
      [[option(3, 0), option(5, 0)]],
      [],
      [[option(3, 0), option(5, 0)]],
    ],
    ['two that were not paired', [[option(3, 1), option(5, 1)]], [], []],
    ['two options in force', [[option(3, 0)], [option(5, 0)]], [], []],
    [
      'two options in force that were paired',
      [[option(3, 0)], [option(5, 0)]],
      [option(3, 1), option(5, 1)],
      [[option(5, 0)], [option(3, 0)]],
    ],
  ],
)('the matrix finds the causes: %s', async (_what, culprits, paired, expected) => {
  expect((await causesOf(failsWith(culprits), paired)).causes).toEqual(texts(expected))
})

test('the matrix runs no pair with an option that breaks the suite alone', async () => {
  const paired = [option(0, 1), option(1, 1), option(2, 1)]
  const { runs } = await causesOf(failsWith([[option(1, 1)]]), paired, paired)
  expect(runs.map(({ changed }) => optionsText(changed))).toEqual(
    [[], ...paired.map((one) => [one]), [paired[0]!, paired[2]!], [paired[1]!]].map(optionsText),
  )
})

test('the matrix finds no cause for a suite that never passes, and does not repeat the suite', async () => {
  expect(await causesOf(() => false)).toMatchObject({
    causes: [],
    count: 1 + options.length,
    flaky: undefined,
  })
})

test.each([
  ['unchanged', 1],
  ['with one option', 4],
])('the matrix calls a suite flaky that fails %s and passes when repeated', async (_when, failsAt) => {
  const { flaky, causes } = await causesOf((_changed, time) => time !== failsAt)
  expect(flaky?.map(({ run }) => run.passed)).toEqual([false, true])
  expect(flaky?.[0].changed).toEqual(flaky?.[1].changed)
  expect(causes).toEqual([])
})

test('the matrix pairs each option with every option of other behaviors', () => {
  expect(pairsOf([option(0, 1), option(0, 2), option(1, 1)])).toEqual([
    [option(0, 1), option(1, 1)],
    [option(0, 2), option(1, 1)],
  ])
})
