import type { Locator, Page } from 'playwright-core'

/** Locators and actions for a page with the inspector. */
export function inspectorOn(page: Page) {
  const grid = page.getByRole('grid')
  return {
    grid,
    row: (name: string | RegExp): Locator => page.getByRole('row', { name }),
    details: page.getByRole('region', { name: 'Details' }),
    /** Opens a screen and waits until it is connected. */
    async open(url: string, hash = ''): Promise<void> {
      await page.goto(`${url}/${hash}`)
      await page.getByText('Live', { exact: true }).waitFor()
    },
    scrollTop: (): Promise<number> => grid.evaluate((element) => element.scrollTop),
    /** Whether the last row is visible. */
    isAtEnd: (): Promise<boolean> =>
      grid.evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight - 2),
    rowCount: async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount')) - 1,
  }
}
