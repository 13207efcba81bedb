import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that colours decide on, for a page on which all others have been looked for in other colours. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block']

interface Colours {
  readonly colorScheme: 'light' | 'dark'
  readonly forcedColors?: 'none' | 'active'
}

export const LIGHT_AND_DARK: readonly Colours[] = [{ colorScheme: 'light' }, { colorScheme: 'dark' }]

export const LIGHT_DARK_AND_FORCED: readonly Colours[] = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
]

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

/** What axe finds on a page, by some of its rules or by all: the rule broken, and where. */
export async function violationsOn(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) }
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then((results) => results.violations)`,
  )) as Violation[]
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** What axe finds on a page in all of some colours. What has nothing to do with them is looked for once. */
export async function violationsIn(all: readonly Colours[], page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [index, colours] of all.entries()) {
    // Colours on their way from one scheme to the other are neither.
    await page.emulateMedia({ reducedMotion: 'reduce', ...colours })
    const violations = await violationsOn(page, index === 0 ? undefined : OF_COLOURS)
    found.push(...violations.map((violation) => `${Object.values(colours).join(' ')}: ${violation}`))
  }
  return found
}
