import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import seed from '../../fixtures/seed.json' with { type: 'json' }
import { version } from '../../server/platform/system/version.ts'
import { sandboxOptions } from '../../server/runtime/config/options.ts'
import { commandNames, loadCommand } from '../../server/cli/commands.ts'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import type { EventView, LinkView } from '../../server/contract/views.ts'
import { runCli, runLine } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { listenAt } from '../support/listen-at.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  courier,
  market,
  openSandbox,
  shop,
  type PaymentResult,
  type DeliveryJson,
  type OpenSandbox,
} from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** Runs command lines with the address of the sandbox in the environment. */
const cliOf =
  (sandbox: { readonly url: string }, env: NodeJS.ProcessEnv = {}) =>
  (line: string) =>
    runLine(line, { PAYLINK_URL: sandbox.url, ...env })

const json = <Value>({ stdout }: { readonly stdout: string }): Value => JSON.parse(stdout) as Value

const ndjson = ({ stdout }: { readonly stdout: string }): EventView[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EventView)

test('create: prints the id and the pay link', async ({ sandbox }) => {
  const cli = cliOf(sandbox)

  const text = await cli(`create --amount 12.50 --recipient ${courier.recipientToken}=30 --note "Order 7"`)
  expect(text).toEqual({
    code: 0,
    stdout: `Link 1001 of Flower Shop: €12.50\n${sandbox.url}/payment?link_id=MTAwMQ%3D%3D\n`,
    stderr: '',
  })

  const other = await cli(
    `create --amount 9 --account "Market Hall" --callback-url http://localhost:3000/thanks --payment-endpoint http://localhost:3000/hooks --not-cancellable --json`,
  )
  expect(json<LinkView>(other)).toMatchObject({
    id: 1002,
    accountId: market.id,
    amount: 9,
    cancellable: false,
    callbackUrl: 'http://localhost:3000/thanks',
    targets: [{ url: 'http://localhost:3000/hooks' }],
  })
  const absolute = await cli(
    `create --amount 9 --recipient ${courier.recipientToken}=3 --split-type absolute --json`,
  )
  expect(json<LinkView>(absolute).payout).toMatchObject({ recipients: [{ amount: 3 }], owner: 6 })
})

test('create: uses the account of PAYLINK_API_KEY', async ({ sandbox }) => {
  const created = await cliOf(sandbox, { PAYLINK_API_KEY: market.apiKey })('create --amount 1 --json')
  expect(json<LinkView>(created).accountId).toBe(market.id)

  const stale = await cliOf(sandbox, { PAYLINK_API_KEY: 'ofSomeOtherSandbox' })('create --amount 1')
  expect([stale.code, stale.stderr]).toEqual([
    2,
    `No account of the sandbox at ${sandbox.url} has the key in PAYLINK_API_KEY. Pass --account, or unset PAYLINK_API_KEY.\n`,
  ])
})

test('create: needs no admin token with an API key, as an app does', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open-sesame' })
  const cli = cliOf(sandbox)
  const payLink = (id: string) => `${sandbox.url}/payment?link_id=${id}`

  expect(await cliOf(sandbox, { PAYLINK_API_KEY: market.apiKey })('create --amount 5')).toEqual({
    code: 0,
    stdout: `Link 1001: €5.00\n${payLink('MTAwMQ%3D%3D')}\n`,
    stderr: '',
  })
  expect(json(await cli(`create --amount 6 --note hello --key ${market.apiKey} --json`))).toEqual({
    id: 1002,
    amount: 6,
    note: 'hello',
    payLink: payLink('MTAwMg%3D%3D'),
  })
  expect(await cli('create --amount 5 --key ofNobody')).toEqual({
    code: 2,
    stdout: '',
    stderr: `No account of the sandbox at ${sandbox.url} has the key in --key. Pass --account, or correct --key.\n`,
  })
  const admin = await connectSandbox(sandbox.url, { adminToken: 'open-sesame' })
  expect(await admin.link(1002)).toMatchObject({ accountId: market.id, note: 'hello' })
})

test('pay --amount: creates no link if the admin token is missing, but asks for the token', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open-sesame' })
  const cli = cliOf(sandbox, { PAYLINK_API_KEY: market.apiKey })

  expect(await cli('pay --amount 5')).toEqual({
    code: 2,
    stdout: '',
    stderr: `The sandbox at ${sandbox.url} requires its admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.\n`,
  })
  const paid = json<PaymentResult>(await cli('pay --amount 5 --admin-token open-sesame --json'))
  expect(paid.link).toMatchObject({ id: 1001, accountId: market.id, status: 'paid' })
})

test('pay, cancel and decline: create their link with --amount', async ({ sandbox, receiver }) => {
  const cli = cliOf(sandbox)
  const endpoint = `--payment-endpoint ${receiver.url}`

  expect(await cli(`pay --amount 5 ${endpoint}`)).toEqual({
    code: 0,
    stdout: `Link 1001 is paid: €5.00\nBrowser stays at the result page\nWebhook 1  ✓ 200  to ${receiver.url}\n`,
    stderr: '',
  })
  expect(
    (await cli(`cancel --amount 12.50 ${endpoint} --callback-url http://a.example/back`)).stdout,
  ).toContain('Link 1002 is cancelled: €12.50\nBrowser was sent to http://a.example/back?')
  expect((await cli('decline --amount 7')).stdout).toBe(
    'The bank declined the card for link 1003: €7.00. The link can still be paid.\n',
  )
  const split = await cli(
    `pay --amount 9 --recipient ${courier.recipientToken}=3 --split-type absolute --note "Order 7" --account "Market Hall" --json`,
  )
  expect(json<PaymentResult>(split).link).toMatchObject({
    id: 1004,
    accountId: market.id,
    note: 'Order 7',
    payout: { recipients: [{ amount: 3 }], owner: 6 },
  })
})

test('pay: finds a link by any of its identifiers, and pays it once', async ({ receiver }) => {
  await using sandbox = await openSandbox({ behaviors: { payId: 'distinct' } })
  const cli = cliOf(sandbox)
  const create = () => sandbox.createLink({ payment_endpoint: receiver.url })
  const [first, second, third] = [await create(), await create(), await create()]

  const paid = await cli(`pay ${first.id}`)
  expect(paid).toEqual({
    code: 0,
    stdout: `Link 1001 is paid: €100.00\nBrowser stays at the result page\nWebhook 1  ✓ 200  to ${receiver.url}\n`,
    stderr: '',
  })
  const byPayId = await cli('pay pay:700002 --method card --browser closes --json')
  expect(json<PaymentResult>(byPayId)).toMatchObject({
    link: { id: second.id, status: 'paid' },
    deliveries: [{ state: 'delivered' }],
  })
  expect((await cli(`pay ${third.pay_link} --no-wait`)).code).toBe(0)
  await receiver.count(3)

  expect(await cli(`pay ${first.id}`)).toEqual({ code: 1, stdout: '', stderr: 'The link is already paid.\n' })
  expect(await cli(`pay ${first.id} --json`)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'POST /_sandbox/v1/links/1001/pay 409: The link is already paid\n',
  })
})

test('pay: exits with 1 if a webhook failed, and the payment stays', async ({ sandbox }) => {
  await using receiver = await startReceiver((_received, response) => response.writeHead(500).end())
  const create = (target: string) => sandbox.createLink({ payment_endpoint: target })
  const cli = cliOf(sandbox)
  await create(receiver.url)
  const { code, stdout } = await cli('pay 1001')
  const [link, , webhook, advice] = stdout.split('\n')
  expect([code, link, webhook]).toEqual([
    1,
    'Link 1001 is paid: €100.00',
    `Webhook 1  ✕ 500  to ${receiver.url}`,
  ])
  expect(advice).toMatch(/^The receiver did not answer with 2xx\. Read the answer, /)
  await create('http://shop.example/hooks')
  expect((await cli('cancel 1002 --json')).code).toBe(1)
  await create(receiver.url)
  expect((await cli('pay 1003 --no-wait')).code).toBe(0)

  const { host } = new URL(receiver.url)
  expect((await cli('settle')).stdout).toBe(
    'No webhook is due or underway: 2 failed, 1 held\n' +
      `None of the 3 paid or cancelled payments has reached your app. 2 payments: 500 from ${host}. ` +
      '1 payment: held, because shop.example is not on this machine. ' +
      `Find the error in the log of ${host}, and fix it, then replay 2.\n`,
  )
})

test.each<[title: string, body: string, line: string]>([
  [
    'the error and its place in a stack trace',
    'TypeError: no order 7\n    at handle (/app/webhook.js:12:5)\n',
    ' answered 500: “TypeError: no order 7”, in /app/webhook.js:12:5.',
  ],
  [
    'the title of a page',
    '<html><title>Bad Gateway</title><h1>x</h1></html>',
    ' answered 500: “Bad Gateway”.',
  ],
])('pay and replay: show %s of an app that refused a webhook', async (_title, body, line) => {
  await using running = await openSandbox()
  await using receiver = await startReceiver((_received, response) => response.writeHead(500).end(body))
  await running.createLink({ payment_endpoint: receiver.url })
  const cli = cliOf(running)
  const expected = `${receiver.url.replace('http://', '')}${line}`

  expect((await cli('pay 1001')).stdout.split('\n')[3]).toBe(expected)
  expect((await cli('replay 1')).stdout.split('\n')[1]).toBe(expected)
})

test('pay, replay, settle and events: a webhook in a tunnel is stored until a listener fetches it', async ({
  sandbox,
}) => {
  const cli = cliOf(sandbox)
  const url = `${sandbox.url}/tunnel/flower-shop`
  await sandbox.createLink()

  const advice = (since: number) =>
    `Your app has not seen what tunnel flower-shop stored. Forward it with \`npx paylink-sandbox listen flower-shop --since ${since} --forward-to http://localhost:3000/webhooks\``
  const paid = await cli('pay 1001')
  expect([paid.code, ...paid.stdout.trim().split('\n').slice(2)]).toEqual([
    0,
    `Webhook 1  ○ stored  to ${url}  no listener was connected`,
    advice(await captureOf(sandbox, 1)),
  ])
  expect(json(await cli('settle --json'))).toMatchObject({ delivered: 1, stored: 1, missed: 1 })
  const replayed = await cli('replay 1')
  expect([replayed.code, ...replayed.stdout.trim().split('\n')]).toEqual([
    0,
    `Webhook 2  ○ stored  to ${url}  no listener was connected`,
    advice(await captureOf(sandbox, 2)),
  ])

  await using app = await startReceiver()
  await using _listener = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: app.url,
    name: 'laptop',
    since: await captureOf(sandbox, 2),
  })
  await cli('wait tunnel.answered listener=laptop --timeout 60s')
  expect((await cli('settle')).stdout).toBe(
    'No webhook is due or underway: 1 delivered, 1 stored in a tunnel\n' +
      'The paid payment has reached your app.\n',
  )
  const { stdout } = await cli('events --type delivery.attempted --limit 1')
  expect(stdout).toContain(
    '○ stored     pay 1001  webhook 2  Stored in tunnel flower-shop  no listener was connected · 127.0.0.1:',
  )
  expect((await cli('events --type tunnel.answered')).stdout).toContain(
    'tunnel.answered     ✓ 200        pay 1001  webhook 2  POST /tunnel/flower-shop  by laptop · not returned to the caller\n',
  )
})

/** The `seq` of the `tunnel.captured` event for a delivery. */
async function captureOf(sandbox: OpenSandbox, deliveryId: number): Promise<number> {
  const match = { type: 'tunnel.captured', capturedDeliveryId: deliveryId }
  const { answer } = await sandbox.control('POST', '/events/wait', { match })
  return answer.events[0]!.seq
}

test('pay: prints when a failed webhook will be retried, with the date if that is another day', async () => {
  await using sandbox = await openSandbox({ behaviors: { retries: '1d' } })
  await using receiver = await startReceiver((_received, response) => response.writeHead(500).end())
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  const { code, stdout } = await cliOf(sandbox)(`pay ${id}`)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Webhook 1 {2}↻ 500 {2}to \S+ {2}next attempt at \d{4}-\d\d-\d\d [\d:.]{12}$/m)
})

test('pay: explains why there is no webhook', async ({ sandbox }) => {
  const account = await (await connectSandbox(sandbox.url)).createAccount({ name: 'Bakery' })
  const { id } = await account.createLink({ amount: 5 })
  expect((await cliOf(sandbox)(`pay ${id}`)).stdout).toContain(
    '\nNo webhook, because neither the link nor its account has a payment endpoint\n',
  )
})

test('cancel: cancels a payment, whether the browser returns to the shop or not', async ({ sandbox }) => {
  const cli = cliOf(sandbox)
  const create = () =>
    sandbox.createLink({
      cancellable: true,
      callback_url: 'http://localhost:3000/back',
      payment_endpoint: '',
    })
  await create()
  await create()

  expect((await cli('cancel 1001')).stdout).toContain(
    'Link 1001 is cancelled: €100.00\nBrowser was sent to http://localhost:3000/back?',
  )
  expect((await cli('cancel 1002 --browser closes')).stdout).toContain(
    '\nBrowser was closed before it could return\n',
  )
  expect((await cli('cancel 1002')).code).toBe(1)
})

test('replay: sends a webhook again, and exits with 1 if it does not arrive', async ({
  receiver,
  sandbox,
}) => {
  const cli = cliOf(sandbox)
  await sandbox.createLink()
  await cli('pay 1001')

  const replayed = await cli(`replay 1 --to ${receiver.url} --body forged=1 --json`)
  expect(replayed.code).toBe(0)
  expect(json<DeliveryJson>(replayed)).toMatchObject({ id: 2, state: 'delivered', replayOf: 1 })
  expect(receiver.received).toMatchObject([{ body: 'forged=1' }])

  const refused = await cli('replay 1 --to http://127.0.0.1:1/hooks')
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^Webhook 3 {2}✕ no response {2}to .*\nThe receiver could not be reached\. Start your app/,
    ),
  ])
  const held = await cli('replay 1 --to http://shop.example/hooks')
  expect([held.code, held.stdout]).toEqual([1, expect.stringContaining('--allow-host shop.example')])
  expect((await cli('replay 1 --to http://shop.example/hooks --no-wait')).code).toBe(0)
  const completed = await cli(`replay 1 --to ${receiver.url.replace('http://', '')} --json`)
  expect(json<DeliveryJson>(completed)).toMatchObject({ state: 'delivered', target: receiver.url })
})

test('events: prints the id of each webhook that replay needs', async ({ sandbox }) => {
  const cli = cliOf(sandbox)
  await sandbox.createLink()
  await cli('pay 1001')

  const { stdout } = await cli('events --type delivery.attempted')
  const [, seq] = /^ *(\d+) .* pay 1001 {2}webhook 1 {2}/m.exec(stdout) ?? []
  const mistaken = await cli(`replay ${seq}`)
  expect([mistaken.code, mistaken.stderr]).toEqual([
    1,
    `There is no delivery ${seq}. Event ${seq} belongs to webhook 1: write npx paylink-sandbox replay 1.\n`,
  ])
})

test('events: lists and filters events, as text or as JSON lines', async ({ sandbox }) => {
  const cli = cliOf(sandbox)
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await sandbox.createLink()
  await cli('pay 1001')

  const text = await cli('events')
  expect(text.stdout).toMatch(
    /^ {4}2 {2}[\d:.]{12} {2}link\.created {8}✓ created {4}pay 1001 {2}Link created {2}€100\.00 · Order 7$/m,
  )
  expect(text.stdout).not.toContain('\u001B')

  const types = async (line: string) => ndjson(await cli(line)).map(({ type }) => type)
  expect(await types('events --json --type link.paid --type delivery.attempted')).toEqual([
    'link.paid',
    'delivery.attempted',
  ])
  expect(await types('events --json --type link.paid,link.created --link pay:1001')).toEqual([
    'link.created',
    'link.paid',
  ])
  expect(await types('events --json --limit 1')).toEqual(['delivery.attempted'])
  expect(await types('events --json --after 1 --limit 1')).toEqual(['link.created'])
  expect(await types('events --json --account "Market Hall"')).toEqual([])
  expect(await types(`events --json --after 0 --account ${shop.id} --type link.created`)).toHaveLength(2)
})

/** Creates many links by one call. Each of them is an event. */
test('events: lists every event after a seq, over several pages', async ({ sandbox }) => {
  const links = Array.from({ length: 1001 }, () => ({ account: shop.name, amount: 1 }))
  await sandbox.control('POST', '/seed', { links })
  const { answer } = await sandbox.control('GET', '/events?limit=1')
  expect(answer.head).toBeGreaterThan(1000)

  const listed = ndjson(await cliOf(sandbox)('events --json --after 0'))
  expect(listed.map(({ seq }) => seq)).toEqual(Array.from({ length: answer.head }, (_, index) => index + 1))
})

test('wait: finds past and future events, and on timeout lists those that came closest to a match', async ({
  sandbox,
}) => {
  const cli = cliOf(sandbox)
  await sandbox.createLink({ recipient_note: '7' })
  const waiting = cli('wait link.paid payId=1001 --timeout 60s --json')
  await cli('pay 1001')

  expect(ndjson(await waiting)).toMatchObject([{ type: 'link.paid', payId: 1001, amount: 100 }])
  expect((await cli('wait delivery.attempted status=Success httpStatus=200 --link pay:1001')).code).toBe(0)
  expect((await cli('wait link.created link.amount=100 link.status=unused')).code).toBe(0)
  expect((await cli('wait link.created link.note="7" link.payout.owner=70 --timeout 1ms')).code).toBe(1)

  const missed = await cli('wait link.paid payId=9 --timeout 1ms')
  expect(missed).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No event matched .*within 1 ms[^]*payId: wanted 9, found 1001/),
  })
  const tooFew = await cli('wait link.paid --count 2 --timeout 1ms')
  expect([tooFew.code, tooFew.stderr]).toEqual([1, expect.stringContaining('1 of 2 events matched')])
})

test('reset: returns to the seed', async ({ sandbox }) => {
  const cli = cliOf(sandbox)
  await sandbox.createLink()

  expect((await cli('reset')).stdout).toBe(`The sandbox at ${sandbox.url} was reset to its seed\n`)
  expect((await sandbox.createLink()).id).toBe(1001)
  expect(json(await cli('reset --to empty --json'))).toEqual({ to: 'empty' })
  const created = await cli('create --amount 1')
  expect([created.code, created.stderr]).toEqual([
    2,
    expect.stringContaining('run npx paylink-sandbox reset'),
  ])
})

test('wait, settle and reset: can be limited to one account', async ({ sandbox }) => {
  const cli = cliOf(sandbox)
  await sandbox.createLink()
  await cli('create --amount 1 --account "Market Hall"')
  await cli('pay 1002')

  const mine = ndjson(await cli('wait link.created --account "Market Hall" --json'))
  expect(mine).toMatchObject([{ accountId: market.id }])
  expect((await cli('wait link.paid --account "Flower Shop" --timeout 1ms')).code).toBe(1)
  expect((await cli('settle --account "Flower Shop"')).stdout).toBe('No webhook is due or underway\n')

  expect((await cli('reset --account "Market Hall"')).stdout).toBe(
    'Market Hall was reset to its original state\n',
  )
  const { answer } = await sandbox.control('GET', '/links')
  expect(answer.links).toMatchObject([{ id: 1001 }])
})

test('settle: waits until no webhook is pending, and at its timeout says how many are', async ({
  sandbox,
}) => {
  let answer = (): void => {}
  await using receiver = await startReceiver((_received, response) => {
    answer = () => void response.end()
  })
  const cli = cliOf(sandbox)
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await cli('pay 1001 --no-wait')
  await receiver.count(1)

  const early = await cli('settle --timeout 1ms')
  expect([early.code, early.stdout, early.stderr]).toEqual([1, '', expect.stringContaining('underway')])
  answer()
  const counts = { deliveries: 1, delivered: 1, stored: 0, failed: 0, held: 0, pending: 0 }
  expect(json(await cli('settle --json'))).toEqual({ ...counts, missed: 0 })
})

test.for<[line: string, message: string]>([
  ['4579', 'write --port 4579, or after npm start: npm start -- --port 4579.'],
  ['pya', 'Unknown command pya. Did you mean pay? --help lists them.'],
  ['evnts', 'Unknown command evnts. Did you mean events? --help lists them.'],
  ['help evnts', 'Unknown command evnts. Did you mean events?'],
  ['--json events', 'The command comes first. Write npx paylink-sandbox events [flags].'],
  ['--json exec -- true', 'The command comes first. Write npx paylink-sandbox exec [flags] -- <command>'],
  ['trigger', 'Unknown command trigger. Did you mean pay? --help lists them.'],
  ['logs --follow', 'Unknown command logs. Did you mean events? --help lists them.'],
  ['help tunnel', 'Unknown command tunnel. Did you mean listen? --help lists them.'],
  [
    'pay',
    'pay requires a link, or --amount for a new one. Write npx paylink-sandbox pay <link>, or npx paylink-sandbox pay --amount 5.',
  ],
  ['cancel', 'cancel requires a link, or --amount for a new one.'],
  ['decline', 'decline requires a link, or --amount for a new one.'],
  ['pay ""', '<link> is empty. Write npx paylink-sandbox pay [link] [flags].'],
  ['pay 1001 1002', 'pay does not take 1002. Write npx paylink-sandbox pay [link] [flags].'],
  [
    'pay 1001 --amount 5',
    'pay takes a link or --amount, not both. Leave out 1001 to create a link, or leave out --amount.',
  ],
  [
    'cancel 1001 --note 7',
    '--note is for a new link, but 1001 names an existing link. Leave out --note, or replace 1001 with --amount <euros>.',
  ],
  ['decline 1001 --recipient a=3', '--recipient is for a new link, but 1001 names an existing link.'],
  [
    'pay --amount 0',
    '--amount is 0. It must be a number of euros above 0 with at most two decimals, like 12.50.',
  ],
  ['pay --amount 5.123', '--amount is 5.123. It must be a number of euros above 0'],
  ['pay --amount 5 --recipient rcp=x', '--recipient is rcp=x. Its share must be a number like 12.50.'],
  [
    'pay --amount 5 --account "Flower Shop" --key x',
    '--account and --key both name the owner of the link. Leave out one of them.',
  ],
  ['pay --amount 5 --key nobodys', 'has the key in --key. Pass --account, or correct --key.'],
  ['accounts create A --payment-endpoint x', '--payment-endpoint is x. It should be an absolute http'],
  [
    'accounts create A --callback-url http://a.example --callback-url x',
    '--callback-url is x. It should be an absolute http or https URL.',
  ],
  [
    'accounts create A --payment-endpoint http://a.example/1,http://b.example/2',
    '--payment-endpoint is http://a.example/1,http://b.example/2. It should be one URL',
  ],
  [
    'accounts --payment-endpoint http://a.example',
    '--payment-endpoint is for a new account. Write npx paylink-sandbox accounts create <name> --payment-endpoint <url>.',
  ],
  ['pay 1001 --methd card', 'Unknown flag --methd. Did you mean --method?'],
  ['pay 1001 --method crad', '--method is crad. Did you mean card? It must be card or bank-transfer.'],
  ['pay 1001 --browser close', '--browser is close. Did you mean closes?'],
  ['create', 'create requires --amount, in euros.'],
  ['create --amount 12,50', '--amount is 12,50. It must be a number of euros above 0'],
  ['create --amount -3', '--amount must be a number of euros above 0 with at most two decimals, like 12.50.'],
  ['create --amount 1 --recipient rcp', 'Recipient rcp has no share.'],
  ['create --amount 1 --split-type absolute', '--split-type requires --recipient.'],
  ['events --type link.payed', 'There is no event type link.payed. Did you mean link.paid?'],
  ['events --type nothing.like.it', 'There is no event type nothing.like.it. The types are api.request, '],
  ['events --limit 0', '--limit is 0. It must be a whole number from 1 to 1000.'],
  ['events --after', "Option '--after <value>' argument missing."],
  ['wait', 'wait requires <type>.'],
  ['wait paid', 'There is no event type paid. Did you mean link.paid?'],
  ['wait link.paid payid=1001', 'No event of type link.paid has a key payid, did you mean payId? It has '],
  [
    'wait delivery.attempted state=200',
    'No event of type delivery.attempted has state=200. It must be one of pending, ',
  ],
  ['wait link.created link.status=payd', 'has link.status=payd. Did you mean paid?'],
  ['wait link.paid payId', 'payId has no value. Write payId=<value>.'],
  [
    'wait link.paid link=1 link.amount=100',
    'link.amount=100 needs link to be an object, but another pair sets it to 1.',
  ],
  [
    'wait link.paid link.amount=100 link=1',
    'link has two values. Give it one value, or run wait once for each.',
  ],
  ['wait link.paid __proto__.x=1', 'No event has a key __proto__. Leave __proto__.x=1 out.'],
  ['wait link.created amount=5', 'No event of type link.created has a key amount. Did you mean link.amount?'],
  ['wait link.paid constructor.x=1', 'No event of type link.paid has a key constructor'],
  ['wait link.paid type=link.created', 'type=link.created sets the type again. Leave it out: '],
  ['wait link.paid --timeout 5', '--timeout is 5. It must be a time up to 60s, like 500ms, 5s or 1m.'],
  ['wait link.paid --link nothing', '"nothing" does not identify a payment link.'],
  ['replay first', 'first is not the id of a delivery.'],
  ['reset --to seeds', '--to is seeds. Did you mean seed?'],
  ['reset --to seed --account "Flower Shop"', '--to and --account cannot be combined'],
  ['settle --timeout 2m', '--timeout is 2m.'],
  ['events --sandbox pay.example:4400', '--sandbox is pay.example:4400. It must be an address like'],
  ['events --sandbox http://127.0.0.1:1', 'No sandbox answers at http://127.0.0.1:1: '],
])('the command %s ends with a usage error of one line', async ([line, message], { sandbox }) => {
  const { code, stdout, stderr } = await cliOf(sandbox)(line)
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [expect.stringContaining(message)]])
})

test.for<[line: string, message: string]>([
  ['pay 1001', 'There is no payment link 1001. Name a link by its id, its link_id, '],
  ['refund approve 1001', 'There is no payment link 1001.'],
  [
    'create --amount 1 --account Flowershop',
    'There is no account "Flowershop". Did you mean Flower Shop? Available: "Flower Shop", ',
  ],
  ['replay 9', 'There is no delivery 9. The id is the number after Webhook'],
  ['allow 9', 'There is no delivery 9. The id is the number after Webhook'],
  ['faults remove 9', 'There is no fault 9. `npx paylink-sandbox faults` lists them.'],
  ['snapshot restore none', 'There is no snapshot none. `npx paylink-sandbox snapshot` lists them.'],
  ['maps remove https://a.example', 'There is no map for https://a.example. There are no maps.'],
])(
  '%s: the error names the unknown id or name, and the exit code is 1',
  async ([line, message], { sandbox }) => {
    const { code, stdout, stderr } = await cliOf(sandbox)(line)
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringContaining(message)]])
  },
)

test('an account name that several accounts have is rejected, and the error lists their ids', async ({
  sandbox,
}) => {
  const cli = cliOf(sandbox)
  const { answer } = await sandbox.control('POST', '/accounts', { name: 'Flower Shop' })
  const { id } = answer
  expect(await cli('create --amount 1 --account "Flower Shop"')).toEqual({
    code: 1,
    stdout: '',
    stderr: `2 accounts are named "Flower Shop". Pass the id of one: ${shop.id}, ${id}.\n`,
  })
  expect((await cli(`create --amount 1 --account ${id}`)).code).toBe(0)
})

test.for<[script: string, what: string]>([
  ['500', 'createLink was answered with HTTP 500 and an HTML page.'],
  ['empty', 'createLink was answered with HTTP 200 and an empty body.'],
  ['reset', 'createLink got no answer.'],
])(
  'create: explains in one line what the fault %s did, and how to remove the fault',
  async ([script, what], { sandbox }) => {
    const cli = cliOf(sandbox)
    await cli(`faults add api ${script}`)
    expect(await cli('create --amount 1')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${what} A fault can cause this: \`npx paylink-sandbox faults\` lists faults, \`npx paylink-sandbox faults clear\` removes them.\n`,
    })
  },
)

test('commands reject a server that is not a sandbox', async () => {
  const other = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { code, stderr } = await cliOf({ url })('events')
  other.close()
  expect([code, stderr]).toEqual([2, expect.stringContaining(`The server at ${url} is not a sandbox.`)])
})

test('commands need the admin token, by flag or environment', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open-sesame' })
  const without = await cliOf(sandbox)('events')
  expect([without.code, without.stderr]).toEqual([
    2,
    `The sandbox at ${sandbox.url} requires its admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.\n`,
  ])
  expect((await cliOf(sandbox)('events --admin-token open-sesame')).code).toBe(0)
  expect((await cliOf(sandbox, { PAYLINK_ADMIN_TOKEN: 'open-sesame' })('events')).code).toBe(0)
})

test('commands ignore an invalid configuration file of the sandbox', async ({ folder, sandbox }) => {
  writeFileSync(`${folder.path}/paylink.config.json`, '{')
  const { code } = await runCli(['events'], { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } })
  expect(code).toBe(0)
})

test('commands find the sandbox by the port of environment or configuration file', async ({
  folder,
  sandbox,
}) => {
  const port = Number(new URL(sandbox.url).port)
  const run = (file: object, env: NodeJS.ProcessEnv = {}) => {
    writeFileSync(`${folder.path}/paylink.config.json`, JSON.stringify(file))
    return runCli(['settle'], { cwd: folder.path, env })
  }
  expect((await run({ port })).code).toBe(0)
  expect((await run({ port: 1 }, { PAYLINK_PORT: String(port) })).code).toBe(0)
  expect((await run({ port: 1 }, { PAYLINK_URL: sandbox.url })).code).toBe(0)
  expect((await run({ port: 1 })).stderr).toContain('No sandbox answers at http://127.0.0.1:1: ')
  expect(await run({ port: 0 })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^port in paylink.config.json is 0, so only the sandbox knows its port/),
  })
})

test('help lists every command, and --help explains a single command', async () => {
  const cli = cliOf({ url: 'http://127.0.0.1:1' })
  const overall = await cli('--help')
  const wait = await cli('wait --help')

  for (const name of commandNames) {
    const { text } = await loadCommand(name)
    expect(overall.stdout).toContain(`\n  ${name.padEnd(31)}${text}\n`)
  }
  expect([wait.code, wait.stdout]).toEqual([
    0,
    expect.stringContaining('Usage: npx paylink-sandbox wait <type> [key=value]… [flags]'),
  ])
  expect((await cli('help wait')).stdout).toBe(wait.stdout)
  expect((await cli('exec --help -- npm')).stdout).toContain('npx paylink-sandbox exec [flags] -- <command>')
})

test.each(commandNames)(
  'help of %s: says what it does, then shows examples, then explains each flag',
  async (name) => {
    const { text, examples, flags } = await loadCommand(name)
    const { stdout } = await cliOf({ url: 'http://127.0.0.1:1' })(`help ${name}`)

    expect(stdout.toLowerCase().startsWith(`${text.toLowerCase()}.\n\nusage: `)).toBe(true)
    const parts = [
      ...examples.map((example) => `  npx paylink-sandbox ${example}\n`),
      ', with defaults in parentheses:',
    ]
    const places = parts.map((part) => stdout.indexOf(part))
    expect([places.includes(-1), places]).toEqual([false, places.toSorted((a, b) => a - b)])
    for (const flag of Object.keys(flags)) expect(stdout).toMatch(new RegExp(`^ {2}--${flag} .*\\w`, 'm'))
  },
)

test('health: reports whether a sandbox is ready, and needs no token', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })
  const cli = cliOf(sandbox)

  expect(await cli('health')).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`^The sandbox at ${sandbox.url} is ready \\(SQLite 3[\\d.]+, reads take \\d+ ms\\)\n$`),
    ),
    stderr: '',
  })
  expect(json(await cli('health --json'))).toEqual({
    url: sandbox.url,
    ready: true,
    reason: null,
    version,
    database: expect.stringMatching(/^SQLite 3/),
    replica: null,
    lagMs: expect.any(Number),
    freeBytes: null,
  })
  await sandbox.close()
  expect(await cli('health')).toMatchObject({ code: 1, stdout: expect.stringContaining(' is not ready: ') })
  const closed = await freePort()
  expect(await cliOf({ url: `http://127.0.0.1:${closed}` })('health')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      / is not ready: connect ECONNREFUSED .*\. Start one there, or pass another address with --sandbox\.\n$/,
    ),
  })
})

test('health: reports a server that is not a sandbox', async ({ folder }) => {
  await using other = await startReceiver()
  const { code, stdout } = await runCli(['health', '--sandbox', other.origin], { cwd: folder.path })
  expect([code, stdout]).toEqual([
    1,
    `The sandbox at ${other.origin} is not ready: the server is not a sandbox\n`,
  ])
})

test('commands use the host and port in the environment if no address is given', async ({ folder }) => {
  await using sandbox = await openSandbox({ host: '::1' })
  const { port } = new URL(sandbox.url)
  const env = { PAYLINK_HOST: '::1', PAYLINK_PORT: port }
  const { code, stdout } = await runCli(['health'], { cwd: folder.path, env })
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`The sandbox at http://[::1]:${port} is ready (`),
  ])
})

test('help states the number of accounts in the default seed', () => {
  const number = ['no', 'one', 'two', 'three', 'four', 'five'][seed.accounts.length]
  expect(sandboxOptions.seed.flag?.text).toContain(`(${number} example accounts`)
})
