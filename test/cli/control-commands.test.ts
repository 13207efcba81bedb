import { expect } from 'vitest'
import { runLine } from '../support/cli.ts'
import { courier, openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const cli = (url: string, line: string) => runLine(line, { PAYLINK_URL: url })

test('decline: declines the card, and the link can still be paid', async ({ sandbox }) => {
  const { id } = await sandbox.createLink()

  const declined = await cli(sandbox.url, `decline ${id}`)
  expect(declined).toMatchObject({ code: 0, stderr: '' })
  expect(declined.stdout).toBe(
    `The bank declined the card for link ${id}: €100.00. The link can still be paid.\n`,
  )

  expect((await cli(sandbox.url, `pay ${id} --no-wait`)).code).toBe(0)
  expect(await cli(sandbox.url, `decline ${id}`)).toMatchObject({ code: 1, stdout: '' })
})

test('refund: lists refund requests, and approves or rejects them', async ({ sandbox }) => {
  const { id } = await sandbox.createLink()
  expect((await cli(sandbox.url, 'refund')).stdout).toBe('No refund was requested\n')
  await cli(sandbox.url, `pay ${id} --no-wait`)
  await sandbox.call('refundPayment', { pay_id: id, refund_amount: 40 })

  expect((await cli(sandbox.url, 'refund list')).stdout).toBe(`Refund of €40.00 for pay ${id}: pending\n`)
  expect((await cli(sandbox.url, `refund approve ${id}`)).stdout).toBe(
    `Refund of €40.00 for pay ${id}: approved\n`,
  )
  const again = await cli(sandbox.url, `refund reject ${id}`)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('already approved')
  expect(JSON.parse((await cli(sandbox.url, 'refund --json')).stdout)).toMatchObject([{ state: 'approved' }])
})

test('refund and invoices: list a page, and say how to list the next one', async ({ sandbox }) => {
  for (const id of [1001, 1002]) {
    await sandbox.createLink()
    await cli(sandbox.url, `pay ${id} --no-wait`)
    await sandbox.call('refundPayment', { pay_id: id, refund_amount: 40 })
  }

  expect(await cli(sandbox.url, 'refund --limit 1')).toEqual({
    code: 0,
    stdout: 'Refund of €40.00 for pay 1002: pending\n',
    stderr: 'There may be more: add --before 1002\n',
  })
  expect((await cli(sandbox.url, 'refund list --before 1002')).stdout).toBe(
    'Refund of €40.00 for pay 1001: pending\n',
  )
  expect((await cli(sandbox.url, 'refund --before 1001')).stdout).toBe('There are no older refunds\n')
  expect((await cli(sandbox.url, 'refund --account "Market Hall"')).stdout).toBe('No refund was requested\n')
  expect(await cli(sandbox.url, 'refund approve 1001 --limit 1')).toMatchObject({ code: 2, stdout: '' })

  const first = await cli(sandbox.url, 'invoices --limit 1 --json')
  const [{ sfId }] = JSON.parse(first.stdout)
  expect(first.stderr).toBe(`There may be more: add --after ${sfId}\n`)
  const second = await cli(sandbox.url, `invoices --limit 1 --json --after ${sfId}`)
  expect(JSON.parse(second.stdout)[0].sfId).not.toBe(sfId)
})

test('accounts: lists accounts with their keys, and creates an account', async ({ sandbox }) => {
  const listed = await cli(sandbox.url, 'accounts')
  expect(listed.stdout).toContain(shop.apiKey)
  expect(listed.stdout).toContain(courier.recipientToken)

  const created = JSON.parse((await cli(sandbox.url, 'accounts create "Market stall" --json')).stdout)
  expect(created).toMatchObject({ name: 'Market stall', environment: 'development' })
  expect((await cli(sandbox.url, 'create --amount 5 --account "Market stall"')).code).toBe(0)
})

test('accounts create: refuses the name of another account, which flags could not tell apart', async ({
  sandbox,
}) => {
  const { answer } = await sandbox.control('POST', '/accounts', { name: 'Bakery' })
  expect(await cli(sandbox.url, 'accounts create Bakery')).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is already an account named "Bakery", with the id ${answer.id}. Use it: \`npx paylink-sandbox accounts\` lists its keys. Or choose another name.\n`,
  })
  expect((await cli(sandbox.url, 'accounts create bakery')).code).toBe(0)
})

test('accounts create: sets the payment endpoint and the callback URLs', async ({ sandbox }) => {
  const created = await cli(
    sandbox.url,
    `accounts create "Ada's shop" --payment-endpoint ${sandbox.url}/tunnel/ada-shop --callback-url http://a.example/1 --callback-url http://a.example/2`,
  )
  const listed = JSON.parse((await cli(sandbox.url, 'accounts --json')).stdout)

  expect(created.stdout).toContain(
    `\n  webhooks go to   ${sandbox.url}/tunnel/ada-shop\n  callback_url 0   http://a.example/1\n  callback_url 1   http://a.example/2\n`,
  )
  expect(listed.at(-1)).toMatchObject({
    name: "Ada's shop",
    paymentEndpoint: `${sandbox.url}/tunnel/ada-shop`,
    callbackUrls: ['http://a.example/1', 'http://a.example/2'],
  })
})

test('clock: shows, advances, freezes, sets and resumes the time', async () => {
  await using sandbox = await openSandbox({ clock: '2026-01-31T12:00:00Z' })
  expect((await cli(sandbox.url, 'clock')).stdout).toMatch(
    /^2026-01-31 13:00:\d\d CET \(Europe\/Berlin\), 2026-01-31 12:00:\d\d UTC, running\n$/,
  )
  expect((await cli(sandbox.url, 'clock freeze 2026-01-31T12:00:00Z')).stdout).toBe(
    '2026-01-31 13:00:00 CET (Europe/Berlin), 2026-01-31 12:00:00 UTC, frozen\n',
  )
  expect((await cli(sandbox.url, 'clock advance 1h30m')).stdout).toContain(
    '2026-01-31 13:30:00 UTC, frozen\n',
  )
  expect((await cli(sandbox.url, 'clock advance 1mo')).stdout).toContain('2026-02-28 13:30:00 UTC, frozen\n')

  // This account has no invoices in the seed.
  await cli(sandbox.url, 'create --amount 5 --account "Market Hall"')
  await cli(sandbox.url, 'pay 1001 --no-wait')
  expect((await cli(sandbox.url, 'clock advance next-month')).stdout).toMatch(
    /^2026-03-01 00:00:00 CET \(Europe\/Berlin\), 2026-02-28 23:00:00 UTC, frozen\nTax invoice 202603-sf-\w+ of Market Hall for 2026-02: €\d\.\d\d\n$/,
  )
  expect((await cli(sandbox.url, 'clock set 2027-05-01T00:00:00Z')).stdout).toContain(
    '2027-05-01 00:00:00 UTC',
  )
  expect((await cli(sandbox.url, 'clock resume')).stdout).toContain('running')
  expect((await cli(sandbox.url, 'clock real')).code).toBe(0)

  expect((await cli(sandbox.url, 'clock advance -3d')).stderr).toMatch(/^clock advance only goes forward\. /)
  expect(await cli(sandbox.url, 'clock advance soon')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'clock advance cannot advance the time by soon. It must be a span like 90s, 1h30m, 2d or 1mo, or next-month.\n',
  })
  expect((await cli(sandbox.url, 'clock advance next-mnth')).stderr).toContain(
    'cannot advance the time by next-mnth. Write npx paylink-sandbox clock advance next-month.',
  )
  for (const [words, span] of [
    ['1 month', '1mo'],
    ['"2 days 3 hours"', '2d3h'],
    ['90seconds', '90s'],
  ]) {
    const { code, stderr } = await cli(sandbox.url, `clock advance ${words}`)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`Write npx paylink-sandbox clock advance ${span}.`),
    })
  }
})

test('faults: adds, lists and removes faults', async ({ sandbox }) => {
  expect((await cli(sandbox.url, 'faults')).stdout).toBe('There are no faults\n')
  const added = await cli(
    sandbox.url,
    `faults add api 500,reset --operation createSplitLink --account "Flower Shop"`,
  )
  expect(added.stdout).toBe('Fault 1  api  500,reset  createSplitLink  for Flower Shop  not triggered yet\n')
  await cli(sandbox.url, 'faults add webhook drop --times always --target http://a.example')
  await cli(sandbox.url, 'faults add api 503 --operation createLink')
  await cli(sandbox.url, 'create --amount 5')
  expect((await cli(sandbox.url, 'faults')).stdout).toBe(
    `${added.stdout}Fault 2  webhook  drop  to http://a.example  not triggered yet\nFault 3  api  503  createLink  used up\n`,
  )
  expect((await cli(sandbox.url, 'faults remove 1')).stdout).toBe('Fault 1 was removed\n')
  expect((await cli(sandbox.url, 'faults clear')).code).toBe(0)
  expect((await cli(sandbox.url, 'faults')).stdout).toBe('There are no faults\n')
  for (const line of [
    'faults add api',
    'faults add webhok drop',
    'faults add api 500 --probability 2',
    'faults add api nonsense',
  ])
    expect({ line, ...(await cli(sandbox.url, line)) }).toMatchObject({ line, code: 2, stdout: '' })
})

test('invoices: lists tax invoices with their accounts', async ({ sandbox }) => {
  const { stdout } = await cli(sandbox.url, 'invoices')
  expect(stdout).toMatch(
    /^Tax invoice \d{6}-sf-\w{10} of (Flower Shop|Bike Courier) for \d{4}-\d\d: €[\d.]+$/m,
  )
  const mine = JSON.parse((await cli(sandbox.url, 'invoices list --account "Flower Shop" --json')).stdout)
  expect(new Set(mine.map(({ accountId }: { accountId: string }) => accountId))).toEqual(new Set([shop.id]))
  expect((await cli(sandbox.url, 'invoices --account "Market Hall"')).stdout).toMatch(
    /^There are no tax invoices\./,
  )
})

test('maps: adds, lists and removes URL maps', async ({ sandbox }) => {
  expect((await cli(sandbox.url, 'maps')).stdout).toBe('There are no maps\n')
  const added = await cli(sandbox.url, 'maps add https://shop.example.com=http://localhost:3000')
  expect(added).toEqual({ code: 0, stdout: 'https://shop.example.com → http://localhost:3000\n', stderr: '' })
  expect((await cli(sandbox.url, 'maps add https://b.example=https://c.example')).stdout).toContain(
    'https://b.example → https://c.example  held: c.example is not on this machine',
  )
  expect(JSON.parse((await cli(sandbox.url, 'maps list --json')).stdout)).toMatchObject([
    { from: 'https://shop.example.com', to: 'http://localhost:3000', source: 'sandbox' },
    { from: 'https://b.example' },
  ])
  await cli(sandbox.url, 'maps remove https://b.example')
  expect((await cli(sandbox.url, 'maps remove https://shop.example.com')).stdout).toBe('There are no maps\n')
})

test('allow: sends a held webhook once', async ({ receiver }) => {
  let address = '93.184.216.34'
  await using sandbox = await openSandbox({ lookup: async () => [{ address, family: 4 }] })
  const target = receiver.url.replace('127.0.0.1', 'shop.test')
  const { id } = await sandbox.createLink({ payment_endpoint: target })
  const paid = await cli(sandbox.url, `pay ${id}`)
  expect([paid.code, paid.stdout]).toEqual([1, expect.stringContaining('Webhook 1  ○ held  to')])

  address = '127.0.0.1'
  expect(await cli(sandbox.url, 'allow 1')).toEqual({
    code: 0,
    stdout: `Webhook 1  ✓ 200  to ${target}\n`,
    stderr: '',
  })
  expect(receiver.received).toHaveLength(1)
  expect(await cli(sandbox.url, 'allow 1')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The delivery is delivered, and only a held delivery can be allowed. `npx paylink-sandbox replay 1` sends it again.\n',
  })
})

test('snapshot: takes and restores a state by name', async ({ sandbox }) => {
  expect((await cli(sandbox.url, 'snapshot')).stdout).toBe('No snapshot was taken\n')
  expect((await cli(sandbox.url, 'snapshot take base')).stdout).toBe('Snapshot base was taken\n')
  expect(await cli(sandbox.url, 'snapshot take base')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is already a snapshot base. Add --replace, or choose another name.\n',
  })
  expect((await cli(sandbox.url, 'snapshot take base --replace')).code).toBe(0)
  await sandbox.createLink()
  expect((await cli(sandbox.url, 'snapshot restore base')).stdout).toBe('Snapshot base was restored\n')
  expect((await cli(sandbox.url, 'snapshot list')).stdout).toMatch(/^base {2}\S+ \S+ UTC {2}[\d,]+ KiB\n$/)
  expect((await sandbox.control('GET', '/links')).answer.links).toEqual([])
})

test.for([
  [
    'snapshot tak base',
    'snapshot has no action tak. Did you mean take? Its actions are list, take, restore.',
  ],
  ['faults add webhok drop', '<on> is webhok. Did you mean webhook? It must be api, webhook or redirect.'],
  ['faults remove first', '<id> is first. It must be a whole number from 1.'],
  [
    'maps add https://a.example',
    'https://a.example is not a map. It must be an origin and an address, like https://',
  ],
  ['maps remove a.example', 'The origin is a.example. It should be an origin like https://shop.example.com.'],
  ['allow first', 'first is not the id of a delivery.'],
  [
    'clock set tomorrow',
    'clock set cannot set the time to tomorrow. It must be a time with a time zone, like 2026-',
  ],
  ['snapshot take', 'snapshot take requires <name>. Write npx paylink-sandbox snapshot take <name>'],
  ['refund list 1001', 'refund list does not take 1001.'],
] as const)(
  'the command %s ends with a usage error that says what to write',
  async ([line, message], { sandbox }) => {
    const { code, stderr } = await cli(sandbox.url, line)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  },
)
