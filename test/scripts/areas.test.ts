import { expect, test } from 'vitest'
import { testAreas, toVitestArgs } from '../../scripts/test-areas.js'

test('npm test: the names of areas become the paths of their folders', () => {
  expect(toVitestArgs(['checkout', 'cli', '-t', 'exec', '--bail=1'])).toEqual({
    args: ['test/service/checkout/', 'test/cli/', '-t', 'exec', '--bail=1'],
  })
  expect(toVitestArgs(['service'])).toEqual({ args: ['test/service/'] })
  expect(toVitestArgs(['test/cli/exec.test.ts'])).toEqual({ args: ['test/cli/exec.test.ts'] })
  expect(toVitestArgs([])).toEqual({ args: [] })
})

test('npm test: an unknown area is rejected with the names of all areas', () => {
  expect(testAreas).toEqual(expect.arrayContaining(['api', 'inspector', 'recipes', 'service']))
  expect(testAreas).not.toContain('support')
  expect(toVitestArgs(['api', 'checkuot'])).toEqual({
    problem: `There is no folder checkuot in test/. Name one of these areas: ${testAreas.join(', ')}.`,
  })
})
