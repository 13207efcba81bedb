import { expect } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { type OpenSandbox } from '../../support/sandbox.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, javaScriptEnabled: false }

async function countOf(sandbox: OpenSandbox, type: string): Promise<number> {
  await sandbox.settled()
  const { answer } = await sandbox.control('GET', `/events?type=${type}`)
  return answer.events.length
}

test.for([
  ['Pay €100.00', 'Success'],
  ['Cancel payment', 'cancel'],
] as const)(
  'a customer without scripts clicks "%s" and returns to the shop with %s',
  async ([button, status], { sandbox }) => {
    await using shop = await startReceiver((_received, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>Back in the shop</h1>')
    })
    const link = await sandbox.createLink({ callback_url: `${shop.origin}/thanks?lang=de` })
    const page = await openPage(phone)

    await page.goto(link.pay_link)
    await page.getByRole('button', { name: button }).click()

    expect(page.url()).toBe(`${shop.origin}/thanks?lang=de&pay_id=1001&status=${status}`)
    expect(await page.getByRole('heading').textContent()).toBe('Back in the shop')
  },
)

test('a customer without scripts pays by bank transfer, and returns once it is approved', async ({
  sandbox,
}) => {
  await using shop = await startReceiver((_received, response) => response.end('thanks'))
  const link = await sandbox.createLink({ callback_url: `${shop.origin}/thanks` })
  const page = await openPage(phone)

  await page.goto(link.pay_link)
  await page.getByLabel('Bank transfer').check()
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Waiting for your transfer')

  await sandbox.control('POST', `/links/${link.id}/approve-transfer`)
  await page.waitForURL(`${shop.origin}/thanks?pay_id=1001&status=Success`)
})

test('the waiting page continues by a script, whose requests are not recorded', async ({ sandbox, page }) => {
  await using shop = await startReceiver((_received, response) => response.end('thanks'))
  const link = await sandbox.createLink({ callback_url: `${shop.origin}/thanks` })

  await page.goto(link.pay_link)
  await page.getByLabel('Bank transfer').check()
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  await page.waitForResponse(/payment\/status/)
  await sandbox.control('POST', `/links/${link.id}/approve-transfer`)
  await page.waitForURL(`${shop.origin}/thanks?pay_id=1001&status=Success`)

  const { answer } = await sandbox.control('GET', '/events?type=checkout.viewed,redirect.sent')
  expect(answer.events).toMatchObject([{ page: 'checkout' }, { page: 'waiting' }, { type: 'redirect.sent' }])
  expect(page.problems).toEqual([])
})

test('a rejected bank transfer returns a customer without scripts to the payment page', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink()
  const page = await openPage(phone)

  await page.goto(link.pay_link)
  await page.getByLabel('Bank transfer').check()
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  await sandbox.control('POST', `/links/${link.id}/reject-transfer`)
  await page.getByRole('alert').waitFor()

  expect(await page.getByRole('alert').textContent()).toContain('Your bank transfer did not arrive')
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payment complete')
})

test('the waiting page does not resend its form', async ({ sandbox, page }) => {
  const link = await sandbox.createLink()
  await page.goto(link.pay_link)
  await sandbox.control('POST', `/links/${link.id}/pay`, { method: 'bank-transfer' })

  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('A bank transfer is already on its way')
  await sandbox.control('POST', `/links/${link.id}/reject-transfer`)

  await page.getByText('Your bank transfer did not arrive').waitFor()
  expect((await sandbox.control('GET', `/links/${link.id}`)).answer.status).toBe('unused')
})

test('a customer with a declined card reloads the page, tries again, and pays once', async ({ sandbox }) => {
  const link = await sandbox.createLink()
  const page = await openPage(phone)

  await page.goto(link.pay_link)
  await page.getByRole('button', { name: 'Decline the card' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your bank declined the payment')
  await page.reload()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your bank declined the payment')
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payment complete')

  expect(await countOf(sandbox, 'link.declined')).toBe(1)
  expect(await countOf(sandbox, 'link.paid')).toBe(1)
})

test('the developer can close the browser, and load the page again', async ({ sandbox }) => {
  const link = await sandbox.createLink({ callback_url: 'http://shop.test/thanks' })
  const page = await openPage(phone)

  await page.goto(link.pay_link)
  await page.getByRole('button', { name: 'Pay, then close the browser' }).click()
  await page.getByRole('heading', { name: 'Browser closed' }).waitFor()
  await page.reload()

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Browser closed')
  await page.getByText('http://shop.test/thanks?pay_id=1001&status=Success').waitFor()
  expect(await countOf(sandbox, 'link.paid')).toBe(1)
})

test('a double click, Back and a reload pay once, and the pages show that the link is already paid', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink()
  const page = await openPage(phone)

  await page.goto(link.pay_link)
  await page.getByRole('button', { name: 'Pay €100.00' }).dblclick()
  await page.getByRole('heading', { level: 1, name: /Payment complete|already been used/ }).waitFor()
  await page.goto(link.pay_link)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This link has already been used')
  await page.reload()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: /Payment complete|already been used/ }).waitFor()

  expect(await countOf(sandbox, 'link.paid')).toBe(1)
  expect(await countOf(sandbox, 'delivery.queued')).toBe(1)
})

test('if two tabs pay at once, both return to the shop, and one payment is made', async ({ sandbox }) => {
  await using shop = await startReceiver((_received, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Back in the shop</h1>')
  })
  const link = await sandbox.createLink({ callback_url: `${shop.origin}/thanks` })
  const tabs = [await openPage(phone), await openPage(phone)]

  await Promise.all(tabs.map((tab) => tab.goto(link.pay_link)))
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Pay €100.00' }).click()))

  const late = tabs.filter((tab) => tab.url() === link.pay_link)
  expect(late).toHaveLength(1)
  expect(await late[0]!.getByRole('alert').textContent()).toContain('Nothing was paid a second time')
  await late[0]!.getByRole('link', { name: 'Continue' }).click()
  for (const tab of tabs) expect(tab.url()).toBe(`${shop.origin}/thanks?pay_id=1001&status=Success`)
  expect(await countOf(sandbox, 'link.paid')).toBe(1)
})

test('HTML in a note is shown as text', async ({ sandbox, page }) => {
  const note = '</p><script>document.title="owned"</script><img src=x onerror=alert(1)>'
  const link = await sandbox.createLink({ recipient_note: note })

  await page.goto(link.pay_link)
  expect(await page.locator('.note').textContent()).toBe(note)
  expect(await page.title()).toBe('Pay €100.00 to Flower Shop')
  expect(page.problems).toEqual([])
})
