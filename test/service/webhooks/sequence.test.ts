import { join } from 'node:path'
import { expect } from 'vitest'
import { openSandbox, shop } from '../../support/sandbox.ts'
import { holdReceiver } from '../../support/ordered-payments.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

/** A shop whose webhooks and pages are listed in the sequence in which they are requested. */
async function openShop(sequence: string) {
  const sandbox = await openSandbox({ behaviors: { order: sequence as 'together' } })
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

test('notifications are sent as listed, before the payment is answered', async () => {
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

test('a closed browser opens no page, and the event `both` sends the webhook once', async () => {
  await using sandbox = await openShop('both,redirect')
  await sandbox.control('POST', `/links/${sandbox.link.id}/pay`, { browser: 'closes' })
  expect(sandbox.seen()).toEqual(['Success'])
})

test('notifications after refund wait until a refund is approved', async () => {
  await using sandbox = await openShop('success,refund,success,cancel')
  const { answer } = await sandbox.control('POST', `/links/${sandbox.link.id}/pay`)
  expect(sandbox.seen()).toEqual(['Success'])
  const { payId } = answer.link
  await sandbox.call('refundPayment', { pay_id: payId, refund_amount: 100, isFullRefund: true })
  expect(sandbox.seen()).toEqual(['Success'])
  await sandbox.control('POST', `/refunds/${payId}/approve`)
  expect(sandbox.seen()).toEqual(['Success', 'Success', 'cancel'])
})

test('a refund is approved although the webhook target of its link was removed', async () => {
  await using sandbox = await openSandbox({ behaviors: { order: 'success,refund,cancel,forged-cancel' } })
  await using app = await startReceiver()
  const endpoint = (paymentEndpoint: string) =>
    sandbox.control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint })
  await endpoint(app.url)
  const { id } = await sandbox.createLink()
  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  const { payId } = answer.link
  await sandbox.call('refundPayment', { pay_id: payId, refund_amount: 100, isFullRefund: true })
  await endpoint('')
  expect((await sandbox.control('POST', `/refunds/${payId}/approve`)).status).toBe(200)
})

test('the list can contain a duplicate, a resend by the API, a customer who cancels, and a forged cancel', async () => {
  await using sandbox = await openShop('cancel-redirect,duplicate,resend,forged-cancel')
  await sandbox.control('POST', `/links/${sandbox.link.id}/pay`)
  expect(sandbox.seen()).toEqual(['page', 'Success', 'Success', 'Success', 'cancel'])
  const [page, first, copy, resent, forged] = sandbox.app.received
  expect(page!.path).toMatch(/\/thanks\?pay_id=\d+&status=cancel$/)
  expect(copy!.body).toBe(first!.body)
  expect(forged!.pairs['data[user_id]']).not.toBe(resent!.pairs['data[user_id]'])
  const { answer } = await sandbox.control('GET', '/deliveries')
  expect(answer.deliveries.map(({ cause }) => cause)).toEqual(['forged', 'resend', 'replay', 'outcome'])
})

test('the webhooks of several targets come at once, or one target after another', async () => {
  await using sandbox = await openSandbox({ behaviors: { order: 'targets,success' } })
  const answers: (() => void)[] = []
  await using app = await startReceiver((_received, response) => {
    const answer = (): void => void response.end()
    // The webhooks of `success` are answered only once both have arrived.
    if (app.received.length <= 2) answer()
    else if (answers.push(answer) === 2) for (const each of answers) each()
  })
  const link = await sandbox.createLink({ payment_endpoint: `${app.origin}/first,${app.origin}/second` })
  await sandbox.control('POST', `/links/${link.id}/pay`)
  const paths = app.received.map(({ path }) => path)
  expect(paths.slice(0, 2)).toEqual(['/second', '/first'])
  expect(paths.slice(2).toSorted()).toEqual(['/first', '/second'])
})

test('notifications after a refund are sent although the sandbox was restarted before the approval', async ({
  folder,
}) => {
  const options = {
    db: join(folder.path, 'sandbox.db'),
    behaviors: { order: 'success,refund,redirect,success' as const },
  }
  await using app = await startReceiver()
  let payId = 0
  {
    await using sandbox = await openSandbox(options)
    const link = await sandbox.createLink({
      payment_endpoint: `${app.origin}/hook`,
      callback_url: `${app.origin}/thanks`,
    })
    const { answer } = await sandbox.control('POST', `/links/${link.id}/pay`)
    payId = answer.link.payId
    await sandbox.call('refundPayment', { pay_id: payId, refund_amount: 100, isFullRefund: true })
    expect(app.received.map(({ path }) => path)).toEqual(['/hook'])
  }
  await using restarted = await openSandbox(options)
  await restarted.control('POST', `/refunds/${payId}/approve`)
  expect(app.received.map(({ path }) => path)).toEqual([
    '/hook',
    `/thanks?pay_id=${payId}&status=Success`,
    '/hook',
  ])
  expect(app.received[2]!.body).toBe(app.received[0]!.body)
})

test('a list of notifications is sent even if nobody waits for it, and settled waits for its webhooks', async () => {
  await using sandbox = await openShop('success,cancel,success')
  await sandbox.control('POST', `/links/${sandbox.link.id}/pay`, { wait: 'accepted' })
  expect((await sandbox.control('POST', '/settle')).answer).toMatchObject({ deliveries: 3, delivered: 3 })
  expect(sandbox.seen()).toEqual(['Success', 'cancel', 'Success'])
})

test('a reset of the account ends its list of notifications', async () => {
  await using receiver = await holdReceiver()
  await using sandbox = await openSandbox({ behaviors: { order: 'success,cancel' } })
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  const paying = sandbox.control('POST', `/links/${id}/pay`)
  await receiver.count(1)
  await sandbox.control('POST', `/accounts/${shop.id}/reset`)
  await paying
  receiver.answer()
  expect((await sandbox.control('POST', '/settle')).answer).toMatchObject({ deliveries: 0 })
  expect([receiver.received.length, sandbox.problems]).toEqual([1, []])
})

test('a payment that the customer cancels ignores the list of notifications', async () => {
  await using sandbox = await openShop('success,redirect,success')
  const { id } = await sandbox.createLink({ payment_endpoint: `${sandbox.app.url}/hook`, cancellable: true })
  await sandbox.control('POST', `/links/${id}/cancel`)
  expect(sandbox.seen()).toEqual(['cancel'])
})

test('sequences of events that cannot happen are rejected', async ({ sandbox }) => {
  for (const value of [
    'redirect',
    'resend,success',
    'refund,success',
    'success,refund,refund',
    'success,',
    'success,paid',
  ]) {
    const path = `/behaviors?account=${shop.id}`
    const { status } = await sandbox.rawControl('PATCH', path, { order: value })
    expect([value, status]).toEqual([value, 400])
  }
})
