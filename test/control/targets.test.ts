import { expect, test } from 'vitest'
import { openSandbox, shop } from '../support/sandbox.ts'

interface Preview {
  readonly refusal: string | null
  readonly targets: readonly Record<string, unknown>[]
  readonly callbacks: readonly Record<string, unknown>[]
  readonly detail?: string
}

const [first, second] = shop.webhookUrls

test('a preview says of every entry where it leads and why, and makes nothing', async () => {
  await using sandbox = await openSandbox()
  const { answer } = await sandbox.control<Preview>('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint: '1,https://shop.example/hook, 0',
    callbackUrl: 'http://localhost:3000/a,1',
  })
  expect(answer).toEqual({
    refusal: null,
    targets: [
      {
        position: 0,
        entry: '1',
        url: second,
        problem: null,
        heldBecause: null,
        because: 'payment_endpoint entry 0 is index 1 of the webhook URLs',
      },
      {
        position: 1,
        entry: 'https://shop.example/hook',
        url: 'https://shop.example/hook',
        problem: null,
        because: 'payment_endpoint entry 1 is this URL',
        heldBecause: expect.stringContaining('start with --allow-host shop.example'),
      },
      {
        position: 2,
        entry: '0',
        url: first,
        problem: null,
        heldBecause: null,
        because: 'payment_endpoint entry 2 is index 0 of the webhook URLs',
      },
    ],
    callbacks: [
      expect.objectContaining({ url: 'http://localhost:3000/a', isUsed: true }),
      expect.objectContaining({ url: shop.callbackUrls[1], isUsed: false }),
    ],
  })
  expect((await sandbox.control('GET', '/links')).answer).toEqual({ links: [] })
})

test('a link that names no target goes to the payment endpoint of its account', async () => {
  await using sandbox = await openSandbox()
  const { answer } = await sandbox.control<Preview>('POST', '/targets/preview', { account: shop.id })
  expect(answer.targets).toEqual([
    {
      position: null,
      entry: null,
      problem: null,
      heldBecause: null,
      url: `${sandbox.url}/tunnel/flower-shop`,
      because: "the account's payment endpoint, as the link names none",
    },
  ])
})

test.each([
  ['0,9', "payment_endpoint index 9 is out of range, the account's list has 2 entries"],
  ['shop.example', 'payment_endpoint entry 0 is neither an http(s) URL nor an index: shop.example'],
])('a preview of %s has the words the API refuses it with', async (paymentEndpoint, refusal) => {
  await using sandbox = await openSandbox()
  const { answer } = await sandbox.control<Preview>('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint,
  })
  const { envelope } = await sandbox.call('createLink', { amount: 1, payment_endpoint: paymentEndpoint })
  expect([answer.refusal, envelope.ResponseMsg]).toEqual([refusal, refusal])
})

test('where an index past the end is left out, the preview leaves it out too', async () => {
  await using sandbox = await openSandbox({ behaviors: { indexOutOfRange: 'ignore' } })
  const { answer } = await sandbox.control<Preview>('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint: '9',
  })
  expect(answer).toMatchObject({
    refusal: null,
    targets: [
      { entry: '9', url: null, problem: 'out-of-range' },
      { position: null, url: `${sandbox.url}/tunnel/flower-shop` },
    ],
  })
})

test('an address that never gets a byte says so, and an unknown account is named', async () => {
  await using sandbox = await openSandbox()
  const { answer } = await sandbox.control<Preview>('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint: 'http://169.254.169.254/hook',
  })
  expect(answer.targets).toMatchObject([
    { heldBecause: expect.stringContaining('nothing is ever sent there') },
  ])
  const unknown = await sandbox.control('POST', '/targets/preview', { account: 'nobody' })
  expect([unknown.status, unknown.answer.detail]).toEqual([404, expect.stringContaining('no account nobody')])
})
