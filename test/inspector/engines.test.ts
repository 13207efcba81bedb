import { expect } from 'vitest'
import { engines, type EnginePage } from '../support/engines.ts'
import { test } from '../support/test.ts'

/** Collects the errors of a page. */
const COLLECT_ERRORS = `(() => {
  globalThis.problems ??= []
  addEventListener('error', ({ message }) => problems.push(message))
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)))
  console.error = (...args) => problems.push(args.join(' '))
})()`

const text = (page: EnginePage, selector: string): Promise<string> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`)

/** The addresses of the screens, and a text that each screen shows. */
const PLACES = [
  ['overview', 'has reached your app'],
  ['payments/1001', 'Order 1'],
  ['payments/review', 'Review'],
  ['test', 'Failure scenarios'],
  ['test/checks', 'Check a receiver'],
  ['connect', 'Keys and tokens'],
  ['connect/tunnels', 'Tunnels'],
  ['sandbox', 'Snapshots'],
] as const

test.for(engines.map((engine) => [engine.name, engine] as const))(
  'the inspector works in %s',
  async ([name, { missing, open }], { sandbox, receiver, skip }) => {
    skip(missing !== undefined, `${name} is not tested: ${missing} is missing.`)
    await sandbox.createLink({ recipient_note: 'Order 1', payment_endpoint: receiver.url })
    await sandbox.control('POST', '/links/1001/pay')
    await sandbox.settled()
    for (let order = 2; order <= 60; order++) await sandbox.createLink({ recipient_note: `Order ${order}` })
    await using page = await open(COLLECT_ERRORS)

    await page.goto(`${sandbox.url}/#/timeline`)
    await expect.poll(() => text(page, '.rows')).toContain('Order 60')
    // The list is longer than the window, so it has a scrollbar. In Firefox, the scrollbar takes space.
    const widths = await page.evaluate<number[]>(
      `(({ clientWidth, offsetWidth }) => [clientWidth, offsetWidth])(document.querySelector('[role=grid]'))`,
    )
    if (name === 'Firefox') expect(widths[0]).toBeLessThan(widths[1]!)
    const edges = await page.evaluate<number[][]>(`['.head .row', '.rows .row'].map((row) =>
    [...document.querySelector(row).children].map((cell) => Math.round(cell.getBoundingClientRect().right)))`)
    expect(edges[0]).toEqual(edges[1])

    await page.evaluate(`(() => {
    const filter = document.querySelector('#filter')
    filter.focus()
    document.execCommand('insertText', false, 'order 1')
  })()`)
    await expect.poll(() => text(page, '.count')).toMatch(/^\d+ of \d+$/)
    await expect.poll(() => text(page, '.rows')).not.toContain('Order 60')
    await page.evaluate(
      `[...document.querySelectorAll('.rows .row')].find((row) => row.textContent.includes('webhook')).click()`,
    )
    await expect.poll(() => text(page, '#details')).toContain('POST')

    for (const [place, shown] of PLACES) {
      await page.evaluate(`void (location.hash = '#/${place}')`)
      await expect.poll(() => text(page, 'body'), { message: place }).toContain(shown)
    }
    expect(await page.evaluate('problems')).toEqual([])

    await page.goto(`${sandbox.url}/docs/guides`)
    await expect.poll(() => text(page, 'h1')).not.toBe('')
  },
)
