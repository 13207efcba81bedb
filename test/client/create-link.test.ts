import { expect, test } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'

test('createLink: returns the same field names as pay', async () => {
  await using sandbox = await startSandbox()
  const [shop, rider] = [await sandbox.createAccount(), await sandbox.createAccount()]

  const link = await shop.createLink({
    amount: 20,
    recipients: [{ token: rider.recipientToken, share: 5 }],
    splitType: 'absolute',
    note: 'Order 7',
    callbackUrl: 'http://localhost:3000/thanks',
    paymentEndpoint: 'http://127.0.0.1:9/',
    cancellable: false,
  })

  expect(link).toMatchObject({
    kind: 'split',
    splitType: 'absolute',
    note: 'Order 7',
    callbackUrl: 'http://localhost:3000/thanks',
    paymentEndpoint: 'http://127.0.0.1:9/',
    cancellable: false,
    payout: { recipients: [{ accountId: rider.id, amount: 5 }], owner: 15 },
  })
  const { link: paid } = await shop.pay(link)
  expect(paid).toEqual({ ...link, status: 'paid', paidBy: 'card', paidAt: paid.paidAt })
})

test('createLink: sends every field under its API name', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()

  await shop.createLink({ amount: 1, isQrLink: true, bankTransfer: true, bankStatementDescription: 'Shop 7' })

  const har = JSON.parse(await shop.exportHar())
  expect(JSON.parse(har.log.entries[0].request.postData.text)).toEqual({
    amount: 1,
    is_qr_link: true,
    bank_transfer: true,
    bank_statement_description: 'Shop 7',
  })
})

test('api.call: returns fields under their API names', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()

  const { data } = await shop.call('createLink', { amount: 1 })

  expect(data).toMatchObject({ status: 'Unused', pay_link: (await shop.link(data!)).payLink })
})

test.each<[fields: unknown, why: string]>([
  [undefined, 'at least the amount in euros, like createLink({ amount: 12.5 }), not undefined.'],
  [12.5, 'like createLink({ amount: 12.5 }), not 12.5.'],
  [{ amount: 1, callback_url: '' }, 'createLink has no field callback_url. Did you mean callbackUrl?'],
  [{ amount: 1, recipient_note: '' }, 'createLink has no field recipient_note. Did you mean note?'],
  [{ amont: 1 }, 'createLink has no field amont. Did you mean amount?'],
])('createLink: rejects %j', async (fields, why) => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()

  const error: unknown = await shop.createLink(fields as never).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toContain(why)
  expect(await shop.links()).toEqual([])
})

test('api.call: sends an invalid call unchanged', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()

  expect(await shop.callUnchecked('createLink', { amount: '100' })).toMatchObject({
    ResponseCode: 0,
    ResponseMsg: 'amount should be a finite number',
  })
})
