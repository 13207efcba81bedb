import { expect } from 'vitest'
import { openSandbox, shop } from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

/** A shop whose webhooks and pages are listed in the order in which they are requested. */
async function openShop(interleave: string) {
  const sandbox = await openSandbox({ behaviors: { interleave: interleave as 'none' } })
  const app = await startReceiver()
  const link = await sandbox.createLink({
    payment_endpoint: `${app.url}/hook`,
    callback_url: `${app.url}/thanks`,
  })
  const seen = () =>
    app.received.map(({ path, body }) =>
      path.endsWith('/hook') ? (/Success|cancel/.exec(body)?.[0] ?? '') : 'page',
    )
  return {
    ...sandbox,
    link,
    seen,
    app,
    async [Symbol.asyncDispose](): Promise<void> {
      await app[Symbol.asyncDispose]()
      await sandbox.close()
    },
  }
}

test('notifications are sent in the listed order, before the payment is answered', async () => {
  await using sandbox = await openShop('cancel,redirect,success,success,redirect')
  await sandbox.control('POST', `/links/${sandbox.link.id}/pay`)
  expect(sandbox.seen()).toEqual(['cancel', 'page', 'Success', 'Success', 'page'])
  expect(sandbox.app.received[2]!.body).toBe(sandbox.app.received[3]!.body)
})

test('a customer at the checkout is redirected after the listed notifications', async () => {
  await using sandbox = await openShop('success,redirect,success')
  const { status, headers } = await sandbox.submit(sandbox.link.pay_link, { method: 'card', outcome: 'pay' })
  expect([status, headers.get('location')]).toEqual([302, expect.stringContaining('/thanks?pay_id=')])
  expect(sandbox.seen()).toEqual(['Success', 'page', 'Success'])
  expect(sandbox.problems).toEqual([])
})

test('a browser that is closed opens no page, and both sends the webhook once', async () => {
  await using sandbox = await openShop('both,redirect')
  await sandbox.control('POST', `/links/${sandbox.link.id}/pay`, { browser: 'closes' })
  expect(sandbox.seen()).toEqual(['Success'])
})

test('notifications after refund wait until a refund is approved', async () => {
  await using sandbox = await openShop('success,refund,success,cancel')
  const { answer } = await sandbox.control<{ link: { payId: number } }>(
    'POST',
    `/links/${sandbox.link.id}/pay`,
  )
  expect(sandbox.seen()).toEqual(['Success'])
  const { payId } = answer.link
  await sandbox.call('refundPayment', { pay_id: payId, refund_amount: 100, isFullRefund: true })
  expect(sandbox.seen()).toEqual(['Success'])
  await sandbox.control('POST', `/refunds/${payId}/approve`)
  expect(sandbox.seen()).toEqual(['Success', 'Success', 'cancel'])
})

test('impossible orders are rejected', async ({ sandbox }) => {
  for (const value of ['redirect', 'refund,success', 'success,refund,refund', 'success,', 'success,paid']) {
    const path = `/behaviors?account=${shop.id}`
    const { status } = await sandbox.control('PATCH', path, { interleave: value })
    expect([value, status]).toEqual([value, 400])
  }
})
