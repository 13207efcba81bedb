import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { violationsOn } from '../support/axe.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('a fault can be enabled in the form, is marked in the timeline, and can be removed', async ({
  sandbox,
  page,
  inspector,
}) => {
  await inspector.open(sandbox.url, '#/test/faults')
  await page.getByText('No faults.').waitFor()

  await page.getByRole('button', { name: 'New fault' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Effect').selectOption('script')
  await dialog.getByLabel('Effects, separated by commas').fill('500,,pass')
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await dialog.getByText('The script is empty, or has an empty step.').waitFor()
  await dialog.getByLabel('Effect', { exact: true }).selectOption('duplicate:<copies>')
  await dialog.getByLabel('Copies').fill('99')
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await dialog.getByText('but duplicate is written').waitFor()
  await dialog.getByLabel('Copies').fill('2')
  await dialog.getByLabel('Account').selectOption({ label: 'Flower Shop' })
  expect(await violationsOn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Enable' }).click()
  const armed = page.getByRole('region', { name: 'Faults' })
  await armed.getByText('enabled, 1 left').waitFor()
  await page.getByTitle('1 fault enabled').first().waitFor()
  expect(await armed.textContent()).toContain('Flower Shop')

  const { id } = await sandbox.createLink()
  await sandbox.control('POST', `/links/${id}/pay`)
  await armed.getByText('1 fault done').click()
  await armed.getByRole('heading', { name: 'Send 2 more times' }).waitFor()
  await expect.poll(() => page.getByTitle('1 fault enabled').count()).toBe(0)
  await armed.getByRole('link', { name: 'triggered once' }).click()
  await inspector
    .row(/fault duplicate:2/)
    .first()
    .waitFor()
  await expect.poll(inspector.rowCount).toBe(3)

  await inspector.open(sandbox.url, '#/test/faults')
  await armed.getByText('1 fault done').click()
  await armed.getByRole('button', { name: 'Remove fault 1' }).click()
  await page.getByText('No faults.').waitFor()
})

test('a fault that was removed by accident can be added again', async ({ sandbox, page, inspector }) => {
  const fault = {
    on: 'webhook',
    script: ['503', '500'],
    times: 2,
    target: 'http://localhost',
    seed: 7,
  } as const
  await sandbox.control('POST', `/faults?account=${shop.id}`, fault)
  await inspector.open(sandbox.url, '#/test/faults')

  await page.getByRole('button', { name: 'Remove fault 1' }).click()
  await page.getByText('No faults.').waitFor()
  await page.locator('section:focus', { hasText: 'No faults.' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()

  await page.getByRole('button', { name: 'Remove fault 2' }).waitFor()
  expect((await sandbox.control('GET', '/faults')).answer).toMatchObject({
    faults: [{ ...fault, accountId: shop.id }],
  })
})

test('the button of a failure scenario triggers it once, and can be undone', async ({
  sandbox,
  page,
  inspector,
}) => {
  await inspector.open(sandbox.url, '#/test')
  const button = page.getByRole('button', { name: 'Trigger once: Lost webhook' })
  await button.click()
  await page.getByRole('link', { name: 'Faults 1' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Faults 1' }).waitFor({ state: 'detached' })
  await button.click()
  await page.getByRole('link', { name: 'Faults 1' }).waitFor()

  const { id } = await sandbox.createLink()
  await sandbox.control('POST', `/links/${id}/pay`)
  await page.getByRole('listitem').filter({ hasText: 'Lost webhook' }).getByText('seen 1×').waitFor()
})

test('a forged webhook is sent from the payment page, and listed beside the genuine ones', async ({
  receiver,
  sandbox,
  page,
  inspector,
}) => {
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await inspector.open(sandbox.url, `#/payments/${id}`)

  await page.getByText('Forge a webhook').click()
  await page.getByRole('button', { name: 'Old webhook again' }).click()
  await page.getByText('has no webhook yet').waitFor()
  await page.getByRole('button', { name: 'Wrong amount' }).click()
  await receiver.count(1)
  expect(receiver.received[0]!.pairs['data[amount]']).toBe('0.01')
  await page.getByText('List', { exact: true }).click()
  await page.getByText('Forged webhook').waitFor()
})

test('a receiver can be checked, and failed cases show what was seen and how to repeat them', async ({
  sandbox,
  page,
  inspector,
}) => {
  await using receiver = await startReceiver((received, response) => {
    response.writeHead(received.contentType.startsWith('application/json') ? 500 : 200).end()
  })
  await inspector.open(sandbox.url, '#/test/checks')
  const section = page.getByRole('region', { name: 'Check a receiver' })
  await section.getByRole('textbox', { name: 'Receiver' }).fill('http://example.com/hooks')
  await section.getByRole('button', { name: 'Check' }).click()
  expect(await section.getByRole('alert').textContent()).toContain('example.com is not on this machine')

  await section.getByRole('textbox', { name: 'Receiver' }).fill(receiver.url)
  await section.getByRole('button', { name: 'Check' }).click()
  await section.getByText(/webhooks? sent, the latest for case \S+\.$/).waitFor()
  await section.getByText('✕ 4 failed').waitFor()
  await section.getByRole('button', { name: 'Copy the command that repeats json', exact: true }).waitFor()
  expect(await section.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    '✕ json and 2 other cases',
    '✕ garbage-json',
  ])
  await section.getByText(/^Your app does not accept a webhook in JSON: json/).waitFor()
  await section.getByText('The state of orders was not checked.').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    section
      .getByRole('button', { name: 'Download as test' })
      .first()
      .click()
      .then(() => section.getByRole('button', { name: 'Vitest' }).click()),
  ])
  expect(download.suggestedFilename()).toBe('json.test.ts')
  expect(readFileSync(await download.path(), 'utf8')).toContain(`sandbox.check('${receiver.url}', {`)
  await section.getByText('2 other cases with the same cause').click()
  await section.getByText('json-charset, repeated-differently').waitFor()
  expect(await violationsOn(page)).toEqual([])
})

test('an app that creates links can be checked, and a failed case can be downloaded as a script', async ({
  sandbox,
  page,
  inspector,
}) => {
  await using app = await startReceiver(async (_received, response) => {
    await sandbox.createLink()
    response.end('<h1>Thank you</h1>')
  })
  await inspector.open(sandbox.url, '#/test/checks')
  const section = page.getByRole('region', { name: 'Check an app that creates links' })
  await section.getByText('More: request body, page texts, order state').click()
  await section.getByRole('textbox', { name: 'Order body' }).fill('item=Roses')
  await section.getByRole('textbox', { name: 'Order URL' }).fill(app.url)
  await section.getByRole('button', { name: 'Check' }).click()
  await section.getByText('✕ 1 failed').waitFor()
  await section.getByText('Customers get no pay link for a good order: normal-order').waitFor()
  await section.getByText('the app answered 200 "Thank you", without a pay link').waitFor()
  expect(app.received.map(({ body }) => body)).toEqual(['item=Roses'])
  expect(await violationsOn(page)).toEqual([])

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    section
      .getByRole('button', { name: 'Download as test' })
      .click()
      .then(() => section.getByRole('button', { name: 'Shell script' }).click()),
  ])
  expect(download.suggestedFilename()).toBe('normal-order.sh')
  expect(readFileSync(await download.path(), 'utf8')).toContain(
    `npx paylink-sandbox check --caller --order-url=${app.url} --order-body=item=Roses --only=normal-order --details`,
  )
})

test('a payment and a call can be downloaded as tests', async ({ sandbox, page, inspector }) => {
  const { id } = await sandbox.createLink()
  await sandbox.control('POST', `/links/${id}/pay`)
  await inspector.open(sandbox.url, `#/payments/${id}`)
  await page.getByRole('button', { name: 'Download as test' }).click()
  const [payment] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Vitest' }).click(),
  ])
  expect(payment.suggestedFilename()).toBe(`payment-${id}.test.ts`)

  const refused = await sandbox.call('createLink', { amount: 'ten' })
  expect(refused.envelope.ResponseCode).toBe(0)
  await inspector.open(sandbox.url, '#/timeline')
  await inspector
    .row(/createLink/)
    .first()
    .click()
  await page.getByRole('button', { name: 'More actions' }).click()
  const [call] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as shell script' }).click(),
  ])
  expect(call.suggestedFilename()).toMatch(/^createlink-\d+\.sh$/)
})
