import { expect } from 'vitest'
import { openPage } from '../support/browser.ts'
import { callsOf, shop } from '../support/sandbox.ts'
import { spawnSandbox } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

test('a link is created, paid in a browser, reported to the shop, shown in the inspector and replayed there', async ({
  folder,
}) => {
  await using thanks = await startReceiver((_received, response) => response.end('Thank you'))
  await using hook = await startReceiver()
  await using sandbox = await spawnSandbox(['--port', '0'], { cwd: folder.path })

  const inspector = await openPage()
  await inspector.goto(sandbox.url)
  await inspector.getByText('Live', { exact: true }).waitFor()

  const link = await callsOf(sandbox.url).createLink({
    recipient_note: 'Order 7',
    callback_url: `${thanks.origin}/thanks`,
    payment_endpoint: hook.url,
  })
  const customer = await openPage({ javaScriptEnabled: false })
  await customer.goto(link.pay_link)
  await customer.getByRole('button', { name: 'Pay €100.00' }).click()
  expect(customer.url()).toBe(`${thanks.origin}/thanks?pay_id=1001&status=Success`)

  await hook.count(1)
  expect(hook.received[0]!.contentType).toBe('application/x-www-form-urlencoded')
  expect(hook.received[0]!.pairs).toMatchObject({
    ResponseCode: '1',
    'data[pay_id]': '1001',
    'data[note]': 'Order 7',
    'data[amount]': '100',
    'data[user_id]': shop.id,
    'data[status]': 'Success',
  })

  const timeline = inspector.getByRole('grid', { name: 'Timeline' })
  await timeline.getByRole('row', { name: /createSplitLink/ }).waitFor()
  await timeline.getByRole('row', { name: /redirect.*302/ }).waitFor()
  await timeline.getByRole('row', { name: /webhook.*200/ }).click()
  await inspector.getByRole('tab', { name: 'Request' }).click()
  await inspector.getByText('Order 7').first().waitFor()
  await inspector.getByRole('button', { name: 'Replay', exact: true }).click()

  await hook.count(2)
  expect(hook.received[1]!.body).toBe(hook.received[0]!.body)
  await timeline
    .getByRole('row', { name: /webhook.*200/ })
    .nth(1)
    .waitFor()
  expect(inspector.problems).toEqual([])
})

test('a payment can be made and cancelled in the inspector', async ({ sandbox }) => {
  for (let links = 0; links < 2; links++) await sandbox.createLink()

  const inspector = await openPage()
  for (const [payId, button, status] of [
    ['1001', 'Pay by card', 'paid'],
    ['1002', 'Cancel payment', 'cancelled'],
  ]) {
    await inspector.goto(`${sandbox.url}/#/payments/${payId}`)
    await inspector.getByRole('button', { name: button!, exact: true }).click()
    const type = `link.${status}`
    const { status: found } = await sandbox.control('POST', '/events/wait', {
      match: { type, payId: Number(payId) },
    })
    expect(found).toBe(200)
    expect((await sandbox.control('GET', `/links/${payId}`)).answer.status).toBe(status)
  }
  expect(inspector.problems).toEqual([])
})
