import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstTests } from '../../scripts/test-sets.js'
import { root } from '../../scripts/run.js'

/** Returns a path with `{b,c}` as two paths, one with `b` and one with `c`. */
function expandBraces(pattern: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? []
  if (choices === undefined) return [pattern]
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after))
}

test.each(firstTests.flatMap(expandBraces))('every set of tests contains the right files: %s', (pattern) => {
  const [path = '', stars] = pattern.split(/\/(?=\*)/)
  expect(existsSync(join(root, path)), `${path} was moved or removed`).toBe(true)
  if (stars !== undefined) {
    expect(readdirSync(join(root, path)).some((name) => name.endsWith('.test.ts'))).toBe(true)
  }
})
