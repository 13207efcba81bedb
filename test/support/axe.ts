import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { sized } from './size.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose result depends on the colors of a page. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

interface Colors {
  readonly colorScheme: 'light' | 'dark'
  readonly forcedColors?: 'none' | 'active'
}

export const LIGHT_AND_DARK: readonly Colors[] = [{ colorScheme: 'light' }, { colorScheme: 'dark' }]

export const LIGHT_DARK_AND_FORCED: readonly Colors[] = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
]

/** The widths of a window and of a phone. */
export const WIDE_AND_NARROW = [1440, 390]

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

interface Rules {
  readonly only?: readonly string[]
  readonly except?: readonly string[]
}

/** Runs axe on a page and returns its violations: the rule, and the element that breaks it. */
export async function violationsOn(page: Page, { only, except = [] }: Rules = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const options = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    ...(only && { runOnly: only }),
  }
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then((results) => results.violations)`,
  )) as Violation[]
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/**
 * Returns the violations on a page in several color schemes: all rules in the first, then the color rules. At small size, it
 * checks two schemes.
 */
export async function violationsIn(schemes: readonly Colors[], page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [index, colors] of schemes.slice(0, sized({ full: schemes.length, small: 2 })).entries()) {
    // During an animated change, axe would measure colors halfway.
    await page.emulateMedia({ reducedMotion: 'reduce', ...colors })
    const violations = await violationsOn(page, index === 0 ? {} : { only: COLOR_RULES })
    found.push(...violations.map((violation) => `${Object.values(colors).join(' ')}: ${violation}`))
  }
  return found
}

/**
 * Returns what is wrong with a page in windows of several widths: the violations, and whether the page scrolls sideways.
 * Colors hardly depend on the width, so axe checks the first width in all color schemes, the last in two, and the others in
 * one. At small size, it checks the first width in the first scheme and the last width in the second.
 */
export async function problemsAt(
  widths: readonly number[],
  schemes: readonly Colors[],
  page: Page,
): Promise<string[]> {
  const found: string[] = []
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 844 })
    const { scrollWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }))
    const isLast = index === widths.length - 1
    const checked = sized({
      full: index === 0 ? schemes : schemes.slice(0, isLast ? 2 : 1),
      small: index === 0 ? schemes.slice(0, 1) : isLast ? schemes.slice(1, 2) : [],
    })
    const violations = await violationsIn(checked, page)
    if (scrollWidth !== width) violations.unshift(`scrolls sideways to ${scrollWidth}`)
    found.push(...violations.map((violation) => `${width} pixels: ${violation}`))
  }
  return found
}

/**
 * Reduces a long page to the first element of each kind: the same element names and classes up to the body, and
 * therefore the same styles.
 */
export const keepOneOfEachKind = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const kinds = new Set<string>()
    const kept = new Set<Element>()
    const kindOf = (element: Element | null): string =>
      element === null ? '' : `${kindOf(element.parentElement)} ${element.localName}.${element.className}`
    for (const element of document.body.querySelectorAll('*')) {
      if (kinds.has(kindOf(element))) continue
      kinds.add(kindOf(element))
      for (let one: Element | null = element; one; one = one.parentElement) kept.add(one)
    }
    for (const element of document.body.querySelectorAll('*')) if (!kept.has(element)) element.remove()
  })
