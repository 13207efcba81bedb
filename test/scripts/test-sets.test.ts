import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstTests, slowTests } from '../../scripts/test-sets.js'
import { root } from '../../scripts/run.js'

/** `a/{b,c}.test.ts` becomes `a/b.test.ts` and `a/c.test.ts`. */
function expandBraces(pattern: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? []
  if (choices === undefined) return [pattern]
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after))
}

test.each([...firstTests, ...slowTests].flatMap(expandBraces))(
  'each set of tests has its files: %s',
  (pattern) => {
    const [path = '', stars] = pattern.split(/\/(?=\*)/)
    expect(existsSync(join(root, path)), `${path} was moved or removed`).toBe(true)
    if (stars !== undefined) {
      expect(readdirSync(join(root, path)).some((name) => name.endsWith('.test.ts'))).toBe(true)
    }
  },
)
