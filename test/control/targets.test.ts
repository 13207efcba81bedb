import { expect } from 'vitest'
import { openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const [first, second] = shop.webhookUrls

const FINE = { consequence: null, isOwn: false, repeats: null, verdict: 'send' }

test('a preview says where every entry leads and why, and creates nothing', async ({ sandbox }) => {
  const { answer } = await sandbox.control('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint: '1,https://shop.example/hook, 0',
    callbackUrl: 'http://localhost:3000/a,1',
  })
  expect(answer).toEqual({
    refusal: null,
    passedOver: expect.objectContaining({ position: null, url: `${sandbox.url}/tunnel/flower-shop` }),
    targets: [
      {
        ...FINE,
        position: 0,
        entry: '1',
        url: second,
        problem: null,
        heldReason: null,
        reason: "The link's payment_endpoint names index 1 of the account's webhook URLs",
      },
      {
        ...FINE,
        position: 1,
        verdict: 'hold',
        entry: 'https://shop.example/hook',
        url: 'https://shop.example/hook',
        problem: null,
        reason: "The link's payment_endpoint names this URL",
        heldReason:
          'shop.example is not on this machine or a private network. Allow the host (--allow-host shop.example), or map https://shop.example',
      },
      {
        ...FINE,
        position: 2,
        entry: '0',
        url: first,
        problem: null,
        heldReason: null,
        reason: "The link's payment_endpoint names index 0 of the account's webhook URLs",
      },
    ],
    callbacks: [
      expect.objectContaining({ url: 'http://localhost:3000/a', isUsed: true }),
      expect.objectContaining({ url: shop.callbackUrls[1], isUsed: false }),
    ],
  })
  expect((await sandbox.control('GET', '/links')).answer).toEqual({ links: [] })
})

test('a link without a target uses the payment endpoint of its account', async ({ sandbox }) => {
  const { answer } = await sandbox.control('POST', '/targets/preview', { account: shop.id })
  expect(answer.targets).toEqual([
    {
      ...FINE,
      isOwn: true,
      position: null,
      entry: null,
      problem: null,
      heldReason: null,
      url: `${sandbox.url}/tunnel/flower-shop`,
      reason: "The account's payment endpoint is used, because the link names no target",
    },
  ])
})

test.for([
  ['0,9', "payment_endpoint index 9 is out of range, the account's list has 2 entries"],
  ['shop.example', 'payment_endpoint entry 0 is neither an http(s) URL nor an index: shop.example'],
] as const)(
  'a preview of %s has the error message of the API',
  async ([paymentEndpoint, refusal], { sandbox }) => {
    const { answer } = await sandbox.control('POST', '/targets/preview', {
      account: shop.id,
      paymentEndpoint,
    })
    const { envelope } = await sandbox.call('createLink', { amount: 1, payment_endpoint: paymentEndpoint })
    expect([answer.refusal, envelope.ResponseMsg]).toEqual([refusal, refusal])
  },
)

test('indexOutOfRange=ignore: the preview also ignores an index past the end', async () => {
  await using sandbox = await openSandbox({ behaviors: { indexOutOfRange: 'ignore' } })
  const { answer } = await sandbox.control('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint: '9',
  })
  expect(answer).toMatchObject({
    refusal: null,
    targets: [
      { entry: '9', url: null, problem: 'out-of-range', consequence: 'left-out' },
      { position: null, url: `${sandbox.url}/tunnel/flower-shop` },
    ],
  })
})

test('a preview marks addresses that never get a webhook, and refuses an unknown account', async ({
  sandbox,
}) => {
  const { answer } = await sandbox.control('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint: 'http://169.254.169.254/hook',
  })
  expect(answer.targets).toMatchObject([
    { verdict: 'never', heldReason: expect.stringContaining('nothing is ever sent there') },
  ])
  const unknown = await sandbox.rawControl('POST', '/targets/preview', { account: 'nobody' })
  expect([unknown.status, unknown.answer.detail]).toEqual([404, expect.stringContaining('no account nobody')])
})

test('a preview says that tunnels are the only URLs of the sandbox that are always reachable', async () => {
  const publicUrl = 'http://203.0.113.7:8080'
  await using sandbox = await openSandbox({ publicUrl })
  for (const paymentEndpoint of ['hook,tunnel/x', 'tunnel/x,hook']) {
    const { answer } = await sandbox.control('POST', '/targets/preview', {
      account: shop.id,
      paymentEndpoint: paymentEndpoint.replaceAll(/hook|tunnel/g, (path) => `${publicUrl}/${path}`),
    })
    const verdicts = answer.targets.map(({ url, verdict }) => [String(url).endsWith('/hook'), verdict])
    expect(new Map(verdicts as [boolean, string][])).toEqual(
      new Map([
        [true, 'hold'],
        [false, 'send'],
      ]),
    )
  }
})

test('a preview shows mapped addresses and duplicates, and checks the mapped address', async () => {
  await using sandbox = await openSandbox({
    maps: { 'https://*.invalid': 'http://localhost:3000', 'https://t.invalid': '/tunnel/t' },
  })
  const { answer } = await sandbox.control('POST', '/targets/preview', {
    account: shop.id,
    paymentEndpoint: 'https://shop.invalid/hook,https://t.invalid/,https://shop.invalid/hook',
    callbackUrl: 'x,https://shop.invalid/thanks',
  })
  const mapped = { mappedTo: 'http://localhost:3000/hook', mappedBy: 'https://*.invalid', verdict: 'send' }
  expect(answer.targets).toMatchObject([
    { ...mapped, repeats: null, isOwn: false },
    { mappedTo: `${sandbox.url}/tunnel/t/`, mappedBy: 'https://t.invalid', isOwn: true },
    { ...mapped, repeats: 0 },
  ])
  expect(answer.callbacks).toMatchObject([
    { url: null, problem: 'invalid', consequence: 'refused', isUsed: false },
    { mappedTo: 'http://localhost:3000/thanks', isUsed: true },
  ])
})

test('a preview can include unsaved changes of the account', async ({ sandbox }) => {
  const ask = async (as: object, paymentEndpoint = '') =>
    (await sandbox.control('POST', '/targets/preview', { account: shop.id, as, paymentEndpoint })).answer
  expect(await ask({ paymentEndpoint: 'https://shop.invalid/hook' })).toMatchObject({
    targets: [{ position: null, verdict: 'hold' }],
  })
  expect(await ask({ webhookUrls: ['http://localhost:3000', 'shop.inv'] }, '0,1')).toMatchObject({
    targets: [
      { url: 'http://localhost:3000', problem: null },
      {
        url: null,
        problem: 'invalid',
        reason:
          "The link's payment_endpoint names index 1 of the account's webhook URLs. That is not an http(s) URL",
      },
    ],
  })
  expect(await ask({ paymentEndpoint: 'shop.inv' })).toMatchObject({ targets: [{ problem: 'invalid' }] })
})

test.for(['http://localhost:1/a,http://localhost:1/b', '/tunnel/a, https://shop.example/'])(
  'the payment endpoint %j of an account is refused, and shown as unusable',
  async (paymentEndpoint, { sandbox }) => {
    const says = 'should be one URL: several belong in webhookUrls'
    const account = `/accounts/${shop.id}` as const
    expect(await sandbox.control('PATCH', account, { paymentEndpoint })).toMatchObject({
      status: 400,
      answer: { detail: expect.stringContaining(says) },
    })
    const { answer } = await sandbox.control('POST', '/targets/preview', {
      account: shop.id,
      as: { paymentEndpoint },
    })
    expect(answer.targets).toMatchObject([
      { url: null, problem: 'invalid', reason: expect.stringContaining('It must be one URL') },
    ])
    const one = { paymentEndpoint: 'http://localhost:1/at/48.1,11.5' }
    expect((await sandbox.control('PATCH', account, one)).status).toBe(200)
  },
)
