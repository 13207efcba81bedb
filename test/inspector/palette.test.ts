import type { Page, Request, Route } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt, WIDE_AND_NARROW } from '../support/axe.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('the palette pays the newest open link by keyboard, after a confirmation', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await inspector.open(sandbox.url)

  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Command' })
  await search.fill('pay 1001')
  const pay = page.getByRole('option', { name: /^Pay 1001 by card Order 7/ })
  await pay.waitFor()
  expect(await pay.getAttribute('aria-selected')).toBe('false')
  // Guides that are found later appear above the actions.
  await expect
    .poll(async () => {
      await search.press('ArrowDown')
      return pay.getAttribute('aria-selected')
    })
    .toBe('true')
  // Tab also selects, and does not leave the field.
  await search.press('Tab')
  await search.press('Shift+Tab')
  await expect.poll(() => pay.getAttribute('aria-selected')).toBe('true')
  await search.press('Enter')
  await page.getByText('The link is paid, and its webhooks are sent. This cannot be undone.').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await pay.click()
  await page.getByRole('button', { name: 'Pay 1001 by card' }).press('Enter')
  await inspector.row(/✓ paid Paid by card/).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(page.problems).toEqual([])
})

test('Enter in the palette opens the first match, and runs an action only if it was chosen', async ({
  sandbox,
  page,
  inspector,
}) => {
  for (const [payId, note, amount] of [
    [1001, 'Order 7', 100],
    [1002, 'Order 17', 50.7],
    [1003, 'Order 70', 7],
  ] as const) {
    await sandbox.createLink({ recipient_note: note, amount })
    await sandbox.control('POST', `/links/${payId}/pay`)
    await sandbox.call('refundPayment', { pay_id: payId, refund_amount: 1 })
  }
  await inspector.open(sandbox.url)

  for (const [text, hash] of [
    ['order 7', '#/payments/1001'],
    ['ordr 7', '#/payments/1001'],
    ['7', '#/payments/1001'],
    ['payment 1002', '#/payments/1002'],
    ['€50.70', '#/payments/1002'],
    ['tunnel', '#/connect/tunnels'],
    ['snapshot', '#/sandbox?point=snapshots'],
    ['check', '#/test/checks'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await search(page).fill(text)
    await search(page).press('Enter')
    await expect.poll(() => new URL(page.url()).hash, { message: text }).toBe(hash)
  }
  for (const text of ['approve the refund of 1001', 'dark', 'fail the next webhook']) {
    await page.keyboard.press('Control+k')
    await search(page).fill(text)
    const action = page.getByRole('group', { name: 'Actions' }).getByRole('option').first()
    await action.waitFor()
    expect(await action.getAttribute('aria-selected')).toBe('false')
    await search(page).fill('')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  expect((await sandbox.control('GET', '/faults')).answer).toEqual({ faults: [] })
  const { answer } = await sandbox.control('GET', '/events?type=refund.approved')
  expect(answer.events).toEqual([])
  expect(page.problems).toEqual([])
})

test('Enter closes the palette before it opens a screen, which may have much data', async ({
  sandbox,
  page,
  inspector,
}) => {
  await inspector.open(sandbox.url, '#/sandbox')
  await page.keyboard.press('Control+k')
  await search(page).fill('which receiver is slow')
  const [frames] = await Promise.all([
    page.evaluate(async () => {
      const dialog = document.querySelector<HTMLDialogElement>('dialog.palette')!
      const seen: string[] = []
      const look = () => `${location.hash}${dialog.open ? ' behind the palette' : ''}`
      for (let now = look(); ; now = look()) {
        if (now !== seen.at(-1)) seen.push(now)
        if (location.hash !== '#/sandbox') return seen
        await new Promise(requestAnimationFrame)
      }
    }),
    search(page).press('Enter'),
  ])

  expect(frames).toEqual(['#/sandbox behind the palette', '#/sandbox', '#/overview?point=receivers'])
})

test('the palette finds the oldest of many payments', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'Oldest' })
  for (let count = 0; count < 210; count++) await sandbox.createLink()
  await inspector.open(sandbox.url, '#/payments')
  await page.getByText('211 payments').waitFor()

  await page.keyboard.press('Control+k')
  await search(page).fill('oldest')
  await search(page).press('Enter')

  await expect.poll(() => new URL(page.url()).hash).toBe('#/payments/1001')
})

test('the palette finds payments by note and opens screens', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'Order 7, roses' })
  await inspector.open(sandbox.url)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('roses')
  await page.getByRole('group', { name: 'Payments' }).getByRole('option').click()
  await expect.poll(() => new URL(page.url()).hash).toBe('#/payments/1001')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('zebra xylophone')
  await page.getByText('No command or guide contains').waitFor()
  await page.keyboard.press('Escape')
  // The focus is still in the palette.
  await page.keyboard.press('2')
  await expect.poll(() => new URL(page.url()).hash).toBe('#/timeline')
})

test('the palette is accessible in all colors, wide and narrow', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await inspector.open(sandbox.url)
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await page.keyboard.type('webhook')
  await page.getByRole('group', { name: 'Guides' }).waitFor()
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await page.getByRole('combobox', { name: 'Command' }).fill('')
  await page.keyboard.type('zebra xylophone')
  await page.getByText('No command or guide contains').waitFor()
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page)).toEqual([])
})

const search = (page: Page) => page.getByRole('combobox', { name: 'Command' })

const guidesOf = (page: Page) => page.getByRole('group', { name: 'Guides' }).getByRole('option')

const isGuideSearch = (word: string) => (request: Request) =>
  request.url().includes('/guides?') && request.url().endsWith(`search=${word}`)

test('Ctrl K right after Escape opens the palette again', async ({ sandbox, page, inspector }) => {
  await inspector.open(sandbox.url)
  await page.keyboard.press('Control+k')
  await search(page).waitFor()

  for (let times = 0; times < 20; times++) {
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Control+k')])
    await search(page).waitFor()
  }
})

test('the palette finds a sentence of a guide, and opens it at the heading', async ({
  sandbox,
  page,
  inspector,
}) => {
  await inspector.open(sandbox.url)

  await page.keyboard.press('Control+k')
  await search(page).fill('slow receiver fails the test')
  await guidesOf(page).first().waitFor()
  expect(await guidesOf(page).first().innerText()).toMatch(
    /^Checking your receiver › What your app must answer\s[^]*A slow receiver fails the test/,
  )
  expect(await guidesOf(page).first().locator('mark').allInnerTexts()).toEqual([
    'receiver',
    'slow',
    'receiver',
    'fails',
    'test',
  ])
  await guidesOf(page).first().click()

  await page.getByRole('heading', { name: 'What your app must answer' }).waitFor()
  expect(page.url()).toBe(`${sandbox.url}/docs/guides/checking-your-receiver#what-your-app-must-answer`)
  expect(page.problems).toEqual([])
})

test.for([
  ['retry', 'Webhooks › How the sandbox delivers', 'retries'],
  ['idempotent', 'Checking your receiver › What your app must answer', 'idempotent'],
  ['duplicate', 'Simulating failures › Effects', 'duplicate'],
  ['https', "A team's sandbox › Without a proxy", 'https'],
] as const)(
  'the palette finds “%s” in the text of a guide',
  async ([word, title, marked], { sandbox, page, inspector }) => {
    await inspector.open(sandbox.url)

    await page.keyboard.press('Control+k')
    await search(page).fill(word)

    const guide = guidesOf(page).filter({ hasText: title })
    await guide.waitFor()
    expect(await guide.locator('mark').allInnerTexts()).toContain(marked)
    expect(page.problems).toEqual([])
  },
)

test('the palette lists guides between the matches and the actions, and keeps the first match selected', async ({
  sandbox,
  page,
  inspector,
}) => {
  await inspector.open(sandbox.url)

  await page.keyboard.press('Control+k')
  await search(page).fill('webhook')
  await guidesOf(page).first().waitFor()

  const groups = page.getByRole('listbox').getByRole('group')
  expect(await groups.evaluateAll((all) => all.map((group) => group.ariaLabel))).toEqual([
    'Go to',
    'Guides',
    'Actions',
  ])
  expect(await page.getByRole('option', { selected: true }).innerText()).toContain('Held webhooks')
  await expect.poll(() => guidesOf(page).count()).toBe(5)
})

test('the palette aborts an older search of the guides and never shows its result', async ({
  sandbox,
  page,
  inspector,
}) => {
  const held = new Promise<Route>((resolve) => void page.route(/guides\?search=tunnel$/, resolve))
  await inspector.open(sandbox.url)
  await page.keyboard.press('Control+k')
  await search(page).fill('tunnel')
  const older = await held

  const aborted = page.waitForEvent('requestfailed', isGuideSearch('tunnel'))
  await search(page).fill('idempotent')
  await aborted
  await guidesOf(page).first().waitFor()

  await older.continue().catch(() => {})
  expect(await guidesOf(page).allInnerTexts()).toEqual([expect.stringContaining('Checking your receiver')])
  await search(page).fill('idempotent xylophone')
  await expect.poll(() => guidesOf(page).count()).toBe(0)
})

test('without the sandbox, the palette keeps its commands and says that guides are not searched', async ({
  page,
  inspector,
}) => {
  const sandbox = await openSandbox()
  await inspector.open(sandbox.url)
  await page.keyboard.press('Control+k')
  await search(page).waitFor()
  await sandbox.close()

  await search(page).fill('payments')

  await page.getByText('The guides were not searched. The sandbox cannot be reached.').waitFor()
  await search(page).press('Enter')
  await expect.poll(() => new URL(page.url()).hash).toBe('#/payments')
})

test('the palette shows texts as text, and refuses a text that is too long', async ({
  sandbox,
  page,
  inspector,
}) => {
  await inspector.open(sandbox.url)
  await page.keyboard.press('Control+k')

  await search(page).fill('<b>xylophone</b> .*🎉')
  await page.getByText('No command or guide contains “<b>xylophone</b> .*🎉”.').waitFor()
  await search(page).fill('x'.repeat(10_000))

  await page.getByText('It should have at most').waitFor()
})
