import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, violationsIn } from '../support/axe.ts'
import { shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('an empty sandbox offers a sample story, which can be undone', async ({ sandbox, page, inspector }) => {
  await inspector.open(sandbox.url)
  await page.getByRole('button', { name: 'Load a sample story' }).click()
  // The list renders only the newest rows, and the link of order 10 is created last.
  await inspector.row(/Order 10: lavender/).waitFor()
  await page.getByText('Your first payment: 2 of 4. Next: replay its webhook').waitFor()
  await page.getByRole('combobox').fill('is:held')
  await inspector.row(/held.*shop\.example/).waitFor()
  await page.getByRole('combobox').fill('')

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await sandbox.createLink()
  await inspector.row(/createSplitLink/).waitFor()
  expect(await page.getByRole('button', { name: 'Load a sample story' }).count()).toBe(0)
  expect(page.problems).toEqual([])
})

test('the first steps tick themselves off, and show whether the app answers', async ({
  sandbox,
  receiver,
  page,
  inspector,
}) => {
  const step = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await inspector.open(sandbox.url)
  await page.getByText('0 of 4', { exact: true }).waitFor()

  // Begins with the last step: the sequence of the steps does not matter.
  const address = page.getByLabel('Address of your app')
  await address.fill('http://127.0.0.1:9/webhooks')
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText(/^No response: /).waitFor()
  await address.fill(receiver.url)
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText(/^Reachable: answered 200 in /).waitFor()
  await step('Point webhooks at your app (done)').waitFor()
  await page.getByRole('button', { name: `Send the webhooks of ${shop.name} there` }).click()
  await page.getByText(/New payments of Flower Shop send their webhooks to/).waitFor()
  expect(await violationsIn(LIGHT_DARK_AND_FORCED, page)).toEqual([])

  await page.getByRole('button', { name: 'Create a payment' }).click()
  await page.getByRole('dialog').getByLabel('Amount').fill('48')
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await receiver.count(2)
  await inspector.open(sandbox.url, '#/timeline')
  await page.getByText('Your first payment: 3 of 4. Next: replay its webhook').click()
  await step('Pay it (done)').waitFor()
  expect(await violationsIn(LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await sandbox.control('POST', '/deliveries/1/replay')
  await page.getByRole('heading', { name: 'Your first payment' }).waitFor({ state: 'detached' })
  expect(page.problems).toEqual([])
})

test('the first steps can be hidden, and come back after a reset', async ({ sandbox, page, inspector }) => {
  await inspector.open(sandbox.url)
  await page.getByRole('button', { name: 'Hide this list' }).click()
  await page.getByRole('heading', { name: 'Your first payment' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  expect(await page.getByText('0 of 4', { exact: true }).count()).toBe(0)

  await page.keyboard.press('?')
  await page.getByRole('button', { name: 'Show the first steps again' }).click()
  await page.getByText('0 of 4', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Hide this list' }).click()
  await sandbox.control('POST', '/reset')
  await page.getByText('0 of 4', { exact: true }).waitFor()
})
