import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

/** What axe finds on a page: the rule broken, and where. */
export async function violationsOn(page: Page): Promise<string[]> {
  const violations = (await page.evaluate(
    `${source}; axe.run().then((results) => results.violations)`,
  )) as Violation[]
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
