import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_AND_DARK, problemsAt, violationsOn, WIDE_AND_NARROW } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { courier } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const waitUntilLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
const item = (page: Page, name: RegExp) => page.getByRole('article', { name })
const reviewTab = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test("a bank transfer approved by keyboard completes on the customer's phone", async ({
  receiver,
  sandbox,
  page,
}) => {
  const { pay_link: payLink } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1002/pay', { method: 'bank-transfer' })

  const phone = await openPage(PHONE)
  await phone.goto(payLink)
  await phone.getByRole('radio', { name: /Bank transfer/ }).check()
  await phone.getByRole('button', { name: 'Pay €100.00' }).tap()
  await phone.getByRole('heading', { name: 'Waiting for your transfer' }).waitFor()

  await page.goto(`${sandbox.url}/#/payments/review`)
  await reviewTab(page, 'Review 2').waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => item(page, /1001/).getAttribute('aria-current')).toBe('true')
  await page.keyboard.press('a')
  await item(page, /1001/).waitFor({ state: 'detached' })

  await phone.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await reviewTab(page, 'Review 1').waitFor()
  await receiver.count(1)
  await page.goto(`${sandbox.url}/#/timeline?q=kind:webhook payment:1001`)
  await page.getByRole('row', { name: /✓ 200.*Success/ }).waitFor()
  expect([...page.problems, ...phone.problems]).toEqual([])
})

test('a refund of a disputed payment can be approved once the shop has won the dispute', async ({
  sandbox,
  page,
}) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 40 })
  await sandbox.control('PUT', '/links/1001/dispute')
  await page.goto(`${sandbox.url}/#/payments/review`)
  const refund = item(page, /Refund 1001/)
  const approve = refund.getByRole('button', { name: 'Approve' })

  await refund.getByText('Refund blocked by dispute. Close the dispute first').waitFor()
  expect(await approve.isDisabled()).toBe(true)
  expect(await refund.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(false)
  expect(await violationsOn(page)).toEqual([])

  await item(page, /Dispute 1001/)
    .getByRole('button', { name: 'Shop wins' })
    .click()
  await item(page, /Dispute 1001/).waitFor({ state: 'detached' })
  await approve.click()
  await page.getByText('Nothing awaits a decision').waitFor()
  expect((await sandbox.control('GET', '/refunds')).answer).toMatchObject({
    refunds: [{ state: 'approved' }],
  })
  expect(page.problems).toEqual([])
})

test('a review by keyboard moves from item to item, and records each decision', async ({ sandbox, page }) => {
  for (const id of [1001, 1002, 1003]) {
    await sandbox.createLink({ payment_endpoint: 'http://127.0.0.1:9/' })
    await sandbox.control('POST', `/links/${id}/pay`)
  }
  await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 40 })
  await sandbox.call('refundPayment', { pay_id: 1002, refund_amount: 100, isFullRefund: true })
  await sandbox.control('PUT', '/links/1003/dispute')
  await page.goto(`${sandbox.url}/#/payments/review`)
  await item(page, /Refund 1001 €40.00 of €100.00/).waitFor()
  await page.getByText('Neither decision sends a webhook').first().waitFor()

  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-labelledby'))
  await expect.poll(focused).toBe('refund-1001')
  await page.keyboard.press('a')
  await expect.poll(focused).toBe('refund-1002')
  await page.keyboard.press('x')
  await expect.poll(focused).toBe('dispute-1003')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing awaits a decision').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')

  const decisions = page.getByRole('region', { name: 'Recent decisions' }).getByRole('listitem')
  await expect
    .poll(() => decisions.allTextContents())
    .toEqual([
      expect.stringContaining('Dispute closed The customer lost Payment 1003'),
      expect.stringContaining('Refund rejected €100.00 Payment 1002'),
      expect.stringContaining('Refund approved €40.00 Payment 1001'),
    ])
  await page.getByRole('link', { name: 'Payment 1002' }).click()
  await page.getByText('A refund of €100.00 of €100.00 was rejected').waitFor()
  const { answer } = await sandbox.control('GET', '/refunds')
  expect(answer.refunds.map(({ state }) => state).toSorted()).toEqual(['approved', 'rejected'])
})

test('holding a key down decides only one item', async ({ sandbox, page }) => {
  for (const id of [1001, 1002, 1003]) {
    await sandbox.createLink()
    await sandbox.control('POST', `/links/${id}/pay`, { method: 'bank-transfer' })
  }
  await page.goto(`${sandbox.url}/#/payments/review`)
  await reviewTab(page, 'Review 3').waitFor()

  await page.keyboard.down('a')
  await reviewTab(page, 'Review 2').waitFor()
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('a')
  await page.keyboard.up('a')
  await sandbox.settled()
  const { answer } = await sandbox.control('GET', '/links?status=paid')
  expect(answer.links).toHaveLength(1)
  await reviewTab(page, 'Review 2').waitFor()
})

test('on a narrow screen, the menu More has the last screens', async ({ sandbox }) => {
  const page = await openPage(PHONE)
  await page.goto(sandbox.url)
  await waitUntilLive(page)
  const tabs = page
    .getByRole('navigation', { name: 'Screens' })
    .locator('> a, > button')
    .filter({ visible: true })
  await expect
    .poll(() => tabs.allTextContents())
    .toEqual(['Overview', 'Timeline', 'Payments', 'Test', 'More'])

  await tabs.filter({ hasText: 'More' }).tap()
  await page.getByRole('link', { name: 'Connect' }).waitFor()
  expect(await violationsOn(page)).toEqual([])
  await page.getByRole('link', { name: 'Connect' }).tap()
  await page.getByRole('link', { name: 'Connect' }).waitFor({ state: 'hidden' })
  expect(new URL(page.url()).hash).toBe('#/connect')

  await page.setViewportSize({ width: 1440, height: 844 })
  await page.getByRole('link', { name: 'Connect' }).waitFor()
  await tabs.filter({ hasText: 'More' }).waitFor({ state: 'detached' })
})

test('the review is accessible with and without items, in light and dark, wide and narrow', async ({
  sandbox,
  page,
}) => {
  const look = async () => expect(await problemsAt(WIDE_AND_NARROW, LIGHT_AND_DARK, page)).toEqual([])
  await page.goto(`${sandbox.url}/#/payments/review`)
  await waitUntilLive(page)
  await page.getByText('Nothing awaits a decision').waitFor()
  await look()

  await sandbox.createLink({ recipient_note: 'Order 7' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 40 })
  await sandbox.control('PUT', '/links/1001/dispute')
  await sandbox.createLink({ recipients: [{ token: courier.recipientToken, share: 10 }] })
  await sandbox.control('POST', '/links/1002/pay', { method: 'bank-transfer' })
  await reviewTab(page, 'Review 3').waitFor()
  await look()
  await page.keyboard.press('x')
  await page.getByText('Recent decisions').waitFor()
  await look()
  expect(page.problems).toEqual([])
})
