import { expect, test } from 'vitest'
import { SandboxError, startSandbox } from '../../server/package/index.ts'
import { NOON } from '../support/sandbox.ts'

test('pay: returns the redirect and the attempts of every webhook', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()
  const link = await shop.createLink({ amount: 100, callbackUrl: 'http://localhost:3000/thanks?order=7' })

  const { link: paid, redirect, deliveries } = await shop.pay(link)

  expect(paid).toMatchObject({ id: link.id, status: 'paid', amount: 100 })
  expect(new URL(redirect!.location).searchParams.get('status')).toBe('Success')
  expect(deliveries).toMatchObject([
    { target: webhooks.url, state: 'delivered', attempts: [{ status: 200 }] },
  ])
  expect(webhooks.received).toHaveLength(1)
})

test('pay: finds a link by any identifier that an app may have', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount({ behaviors: { payId: 'distinct' } })
  const { id, payLink, payId, linkId } = await shop.createLink({ amount: 5 })

  for (const ref of [id, String(id), { id }, `pay:${payId}`, linkId, payLink]) {
    expect((await sandbox.link(ref)).id).toBe(id)
  }
})

test('the handle has a method for every action of customer and operator', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount({ bankTransfer: true })
  const create = () => shop.createLink({ amount: 20, cancellable: true })

  const [cancelled, declined, deleted, approved, rejected, refunded] = await Promise.all([
    create(),
    create(),
    create(),
    create(),
    create(),
    create(),
  ])
  expect((await shop.cancel(cancelled)).link.status).toBe('cancelled')
  expect((await shop.decline(declined)).status).toBe('unused')
  expect((await shop.deleteLink(deleted)).status).toBe('deleted')
  await shop.pay(approved, { method: 'bank-transfer' })
  expect((await shop.approveTransfer(approved)).link.status).toBe('paid')
  await shop.pay(rejected, { method: 'bank-transfer' })
  expect((await shop.rejectTransfer(rejected)).status).toBe('unused')

  await shop.pay(refunded)
  expect((await shop.dispute.open(refunded)).dispute).toBe('open')
  expect((await shop.dispute.close(refunded)).dispute).toBe('lost')
  expect(await shop.call('refundPayment', { pay_id: refunded.id, refund_amount: 5 })).toMatchObject({
    ResponseCode: 1,
  })
  expect(await shop.refunds.list()).toMatchObject([{ amount: 5, state: 'pending' }])
  expect((await shop.refunds.approve(refunded)).state).toBe('approved')

  await shop.pay(declined)
  await shop.call('refundPayment', { pay_id: declined.id, refund_amount: 20, isFullRefund: true })
  expect((await shop.refunds.reject(declined)).state).toBe('rejected')
  expect(await shop.links({ status: 'paid' })).toHaveLength(3)
})

test('replay: sends a webhook again, unchanged, changed, or to a different URL', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()
  const elsewhere = await sandbox.receiver({ path: '/elsewhere' })
  const { deliveries } = await shop.pay(await shop.createLink({ amount: 7 }))

  await shop.replay(deliveries[0]!)
  await shop.replay(deliveries[0]!, { to: elsewhere.url, body: 'forged=1' })

  const [first, second] = [await webhooks.next(), await webhooks.next()]
  expect(second.body).toBe(first.body)
  expect(await elsewhere.next()).toMatchObject({ path: '/elsewhere', form: { forged: '1' } })
  expect(await shop.deliveries()).toHaveLength(3)
})

test('an error of the sandbox names the request and the reason', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const link = await shop.createLink({ amount: 7 })
  await shop.pay(link)

  const again = await shop.pay(link).catch((error: unknown) => error)
  expect(again).toBeInstanceOf(SandboxError)
  expect(again).toMatchObject({ status: 409, request: `POST /_sandbox/v1/links/${link.id}/pay` })
  expect(String(again)).toMatch(/^SandboxError: POST \/_sandbox\/v1\/links\/\d+\/pay 409: .*paid/)

  await expect(shop.createLink({ amount: -1 })).rejects.toThrow('createLink was refused: ')
  await expect(sandbox.account('Flower Shp')).rejects.toThrow('Available: "Flower Shop", ')
})

test('clock: setting, stopping and advancing the clock returns what became due', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  await sandbox.clock.freeze(NOON)
  await shop.pay(await shop.createLink({ amount: 100 }))

  const { now, issued } = await sandbox.clock.advance({ months: 1 })

  expect(now).toBe('2026-08-01T10:00:00.000Z')
  expect(issued).toMatchObject([{ accountId: shop.id, serviceMonth: '2026-07' }])
  expect(await shop.invoices()).toHaveLength(1)
  expect((await sandbox.clock.set(new Date('2027-01-01T00:00:00Z'))).mode).toBe('frozen')
  expect((await sandbox.clock.resume()).mode).toBe('running')
  expect((await sandbox.clock.useReal()).offsetMs).toBe(0)
})

test('clock: advancing time retries a failed webhook', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount({ behaviors: { retries: '5s,30s' } })
  const webhooks = await shop.receiver()
  webhooks.reply(500, 500, 200)
  await sandbox.clock.freeze(NOON)

  const { deliveries } = await shop.pay(await shop.createLink({ amount: 100 }))
  expect(deliveries).toMatchObject([{ state: 'pending', nextAttemptAt: '2026-07-01T10:00:05.000Z' }])
  await webhooks.next()
  await expect(webhooks.next({ timeoutMs: 1 })).rejects.toThrow(
    'pending (500), next attempt at 2026-07-01T10:00:05.000Z',
  )

  const { attempts } = await sandbox.clock.advance({ seconds: 35 })
  expect(attempts.map(({ at, status, state }) => [at, status, state])).toEqual([
    ['2026-07-01T10:00:05.000Z', 500, 'pending'],
    ['2026-07-01T10:00:35.000Z', 200, 'delivered'],
  ])
})
