import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LIGHT_DARK_AND_FORCED, violationsIn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { inspectorOn } from '../support/inspector.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'

/** Makes one row of each appearance: a paid, a held, a failed and a refused one. */
async function createEveryKindOfRow(sandbox: OpenSandbox): Promise<void> {
  await sandbox.createLink({ recipient_note: 'Order 7', callback_url: 'http://localhost:3000/thanks' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.createLink({ payment_endpoint: 'https://shop.example.com/hooks' })
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.createLink({ payment_endpoint: 'http://127.0.0.1:9/closed' })
  await sandbox.control('POST', '/links/1003/pay')
  await sandbox.call('createSplitLink', { amount: 1 })
}

interface State {
  readonly name: string
  readonly hash: string
  readonly reach: (page: Page, sandbox: OpenSandbox) => Promise<void>
  /** Undoes what remains after leaving the screen and pressing Escape. */
  readonly leave?: (page: Page) => Promise<void>
}

const see = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()

const webhook = async (page: Page) => {
  await page.getByRole('row', { name: /○ stored .*tunnel/ }).click()
  await page.getByRole('tab', { name: 'Overview' }).waitFor()
}

/** In the order in which one page reaches them. The first needs an empty journal, and the last ends the sandbox. */
const states: readonly State[] = [
  {
    name: 'an empty timeline',
    hash: '#/timeline',
    reach: see('No requests yet'),
  },
  {
    name: 'no match',
    hash: '#/timeline?q=kind:webhok',
    reach: async (page, sandbox) => {
      await createEveryKindOfRow(sandbox)
      await see('There is no kind:webhok.')(page)
    },
  },
  { name: 'an event that is not there', hash: '#/timeline/4711', reach: see(/is not in this journal/) },
  { name: 'a payment that is not there', hash: '#/payments/4711', reach: see(/is not in this journal/) },
  {
    name: 'the suggestions of the filter',
    hash: '#/timeline',
    reach: async (page) => {
      await page.getByRole('combobox').focus()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'a held view',
    hash: '#/timeline',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused. The sandbox keeps running').waitFor()
    },
    leave: (page) => page.keyboard.press('p'),
  },
  {
    name: 'the attempts of a webhook',
    hash: '#/timeline',
    reach: async (page) => {
      await webhook(page)
      await page.getByRole('tab', { name: 'Attempts' }).click()
    },
  },
  {
    name: 'the bytes of a webhook',
    hash: '#/timeline',
    reach: async (page) => {
      await webhook(page)
      await page.getByRole('tab', { name: 'Request' }).click()
      await page.getByText('As sent').waitFor()
    },
  },
  {
    name: 'the menu of a row',
    hash: '#/timeline',
    reach: async (page) => {
      await page.getByRole('row', { name: /○ stored .*tunnel/ }).click({ button: 'right' })
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'the editor of a webhook',
    hash: '#/timeline',
    reach: async (page) => {
      await webhook(page)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('button', { name: 'Edit and resend' }).click()
      await page.getByRole('textbox', { name: 'data[amount]' }).waitFor()
    },
  },
  {
    name: 'the help',
    hash: '#/timeline',
    reach: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'the failure scenarios', hash: '#/test', reach: see('Card declined') },
  {
    name: 'the held webhooks',
    hash: '#/connect/held-webhooks',
    reach: see('shop.example.com is not on this machine'),
  },
  {
    name: 'an error of the sandbox',
    hash: '#/timeline',
    reach: async (page, sandbox) => {
      await sandbox.close()
      await page.getByText('Reconnecting…').waitFor()
      await webhook(page)
      await page
        .getByRole('button', { name: 'Replay', exact: true })
        .or(page.getByRole('button', { name: 'Replay r' }))
        .first()
        .click()
      await page.getByText('The sandbox cannot be reached.').first().waitFor()
    },
  },
]

/** The fields into which a phone zooms, because their type is smaller than 16 pixels. */
const fieldsThatZoom = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('input:not([type=radio], [type=checkbox]), select, textarea')]
      .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML),
  )

// Colours hardly depend on the width, so the phone has no forced colours.
const schemesOf = sized({
  full: { window: LIGHT_DARK_AND_FORCED, phone: LIGHT_DARK_AND_FORCED.slice(0, 2) },
  small: { window: LIGHT_DARK_AND_FORCED.slice(0, 1), phone: LIGHT_DARK_AND_FORCED.slice(1, 2) },
})

const sizes = [
  { width: 1440, height: 900, hasTouch: false, schemes: schemesOf.window },
  { width: 390, height: 844, hasTouch: true, schemes: schemesOf.phone },
] as const

test.for(sizes)(
  'every state is accessible, $width pixels wide',
  async ({ hasTouch, schemes, ...viewport }) => {
    await using sandbox = await openSandbox()
    const page = await openPage({ viewport, hasTouch })
    await inspectorOn(page).open(sandbox.url)

    const found: Record<string, unknown> = {}
    for (const { name, hash, reach, leave } of states) {
      await page.evaluate((address) => location.assign(address), hash)
      await reach(page, sandbox)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      const smallFields = hasTouch ? await fieldsThatZoom(page) : []
      found[name] = { overflow, smallFields, violations: await violationsIn(schemes, page) }
      await leave?.(page)
      await page.keyboard.press('Escape')
    }
    expect(found).toEqual(
      Object.fromEntries(states.map(({ name }) => [name, { overflow: 0, smallFields: [], violations: [] }])),
    )
  },
)
