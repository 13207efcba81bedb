import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { evaluateSequence, evaluateRetries } from '../../server/verify/calibration/evaluate-timing.ts'
import type { CalibrationFile } from '../../server/contract/schemas/calibration.ts'
import { runCli, startCli } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { harProblems } from '../support/har-problems.ts'
import { openSandbox, shop } from '../support/sandbox.ts'
import { test as base } from '../support/test.ts'

const ENV = { DEV_KEY: shop.apiKey }
const QUICK = ['--key-env', 'DEV_KEY', '--yes', '--rate', '999999/s', '--pay']
/** The points that a payment decides, and those that show whether the service accepts links. */
const PAID = 'webhookEncoding,formEncoding,statusText,amountText,cancelWebhook,order,retries,fullRefundAmount'

/** Pays and cancels the links that calibrate prints, as a customer with a browser does. */
async function payPrintedLinks(run: ReturnType<typeof startCli>): Promise<void> {
  const { until, errors } = run
  const linkAfter = (text: string): string | undefined =>
    errors.find((line) => line.startsWith(text))?.slice(text.length)
  for (const [text, outcome] of [
    ['Pay this link by card: ', 'pay'],
    ['Cancel the payment of this link: ', 'cancel'],
  ] as const) {
    await until(() => linkAfter(text) !== undefined)
    await fetch(linkAfter(text)!, { method: 'POST', body: new URLSearchParams({ method: 'card', outcome }) })
  }
}

const test = base.extend('calibrate', ({ folder }) => ({
  run: (...args: string[]) => runCli(['calibrate', ...args], { cwd: folder.path, env: ENV }),
  start: (target: string, ...args: string[]) =>
    startCli(['calibrate', '--target', target, ...QUICK, ...args], {
      cwd: folder.path,
      env: ENV,
    }),
  read: (file: string) => readFileSync(join(folder.path, file), 'utf8'),
}))

test('calibrate --pay: finds the behaviors that redirects and webhooks show, and a second run finds the same', async ({
  calibrate,
}) => {
  const behaviors = {
    webhookEncoding: 'json',
    statusText: 'lowercase',
    amountText: 'two-decimals',
    cancelWebhook: 'skip',
    payId: 'distinct',
    order: 'webhook-first',
    retries: '1s',
  } as const
  await using service = await openSandbox({ behaviors })
  const receiver = `http://127.0.0.1:${await freePort()}`
  const flags = ['--receiver', receiver, '--webhook-timeout', '6s', '--har', 'c.har']
  await using run = calibrate.start(service.url, ...flags, '--write')
  await payPrintedLinks(run)

  expect([await run.closed, run.errors.filter((line) => line.startsWith('✕'))]).toEqual([0, []])
  const { points, differences } = JSON.parse(calibrate.read('paylink.calibration.json')) as CalibrationFile
  const confirmed = (value: string) => expect.objectContaining({ verdict: 'confirmed', value })
  expect(points).toMatchObject({
    webhookEncoding: confirmed('json'),
    statusText: confirmed('lowercase'),
    amountText: confirmed('two-decimals'),
    cancelWebhook: confirmed('skip'),
    order: confirmed('webhook-first'),
    retries: confirmed('1s'),
    fullRefundAmount: { verdict: 'confirmed' },
  })
  expect(differences).toEqual([])
  const { payId: _payId, ...written } = behaviors
  // A run without payments keeps the results that only payments give.
  const check = await calibrate.run('--target', service.url, ...QUICK.slice(0, -1), '--check')
  expect([check.code, check.stdout.split('\n')[0]]).toEqual([
    0,
    'The service still agrees with paylink.calibration.json.',
  ])
  expect(JSON.parse(calibrate.read('paylink.config.json')).behaviors).toMatchObject(written)

  const har = JSON.parse(calibrate.read('c.har'))
  expect(await harProblems(har)).toEqual([])
  const received = har.log.entries.filter(({ request }: { request: { url: string } }) =>
    request.url.startsWith(`${receiver}/calibrate/`),
  )
  // The first payment has a redirect and two attempts, the second only a redirect.
  expect(received.map(({ request }: { request: { method: string } }) => request.method)).toEqual([
    'GET',
    'POST',
    'POST',
    'GET',
  ])
  expect(calibrate.read('c.har')).not.toContain(shop.apiKey)
})

test('calibrate --pay: names a difference in a webhook, and does not decide points that need a receiver', async ({
  calibrate,
  folder,
}) => {
  await using service = await openSandbox({ behaviors: { statusText: 'lowercase' } })
  await service.control('POST', '/faults', { on: 'redirect', script: 'pay-id:7', times: 'always' })
  const pay = `node -e "fetch(process.env.PAYLINK_PAY_LINK, { method: 'POST', body: new URLSearchParams({ method: 'card', outcome: process.env.PAYLINK_ACTION }) })"`
  const run = await runCli(
    ['calibrate', '--target', service.url, ...QUICK, '--only', PAID, '--pay-command', pay],
    { cwd: folder.path, env: ENV },
  )
  expect(run.code).toBe(1)
  expect(run.stdout).toContain('? webhookEncoding: the webhook of a payment: it needs --receiver.\n')
  expect(run.stdout).toContain('? order: This shows only in a webhook. Pass --pay and --receiver.\n')
  expect(run.stdout).toContain('✕ statusText=lowercase: shown by 1 exchange;')
  expect(run.stdout).toContain(
    '✕ redirect redirect.pay_id (meaning): redirect.pay_id (meaning) is "another number" in the service, "the id of the link" in the sandbox.',
  )
  expect(calibrate.read('paylink.calibration.json')).toContain('"operation": "redirect"')
})

test('calibrate --pay: receives webhooks through the tunnel of a sandbox', async ({ calibrate }) => {
  await using service = await openSandbox({ behaviors: { formEncoding: 'literal' } })
  await using team = await openSandbox()
  const receiver = `${team.url}/tunnel/calibrate`
  const flags = ['--only', PAID, '--receiver', receiver, '--webhook-timeout', '5s']
  await using run = calibrate.start(service.url, ...flags)
  await payPrintedLinks(run)

  await run.closed
  expect(run.lines).toContain('✓ webhookEncoding=form: shown by 1 exchange')
  expect(run.lines).toContain(
    '✕ formEncoding=literal: shown by 1 exchange; the sandbox is set to another option (encoded)',
  )
  // The two options differ only for the payment endpoint of the account, which calibrate does not change.
  expect(run.lines).toContain('? cancelWebhook: The answers match more than one option: send, own-endpoint.')
  expect(run.lines).toContain('? retries: The failed webhook was not sent again within 5 s.')
})

test('calibrate --pay: draws no conclusion from a missing webhook if no webhook arrives at all', async ({
  calibrate,
}) => {
  await using service = await openSandbox()
  await service.control('POST', '/faults', { on: 'webhook', script: 'drop', times: 'always' })
  const receiver = `http://127.0.0.1:${await freePort()}`
  const flags = ['--only', PAID, '--receiver', receiver, '--webhook-timeout', '200ms']
  await using run = calibrate.start(service.url, ...flags)
  await payPrintedLinks(run)

  expect(await run.closed).toBe(1)
  expect(run.lines).toContain('✕ the webhook of a cancellation: no webhook arrived within 0.2 s')
  expect(run.lines).toContain(
    '? cancelWebhook: the webhook of a cancellation: no webhook arrived within 0.2 s.',
  )
})

test('calibrate --pay: says how a payment failed', async ({ calibrate, sandbox }) => {
  await using run = calibrate.start(sandbox.url, '--only', PAID, '--pay-command', 'exit 3')
  expect(await run.closed).toBe(1)
  expect(run.lines).toContain('✕ the redirect after a payment: the command of --pay-command ended with 3')
})

test.skipIf(process.platform !== 'linux')(
  'calibrate --pay: ends a command that takes too long, and everything that it started',
  async ({ calibrate, sandbox }) => {
    const command = 'sleep 300 & echo $! >started; wait'
    const flags = ['--only', PAID, '--pay-command', command, '--pay-timeout', '5s']
    await using run = calibrate.start(sandbox.url, ...flags)
    expect(await run.closed).toBe(1)
    const started = Number(calibrate.read('started'))
    await expect.poll(() => isRunning(started)).toBe(false)
  },
)

function isRunning(pid: number): boolean {
  try {
    // A process that has ended stays as a zombie if no other process waits for it.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test.for<[what: string, args: string[], message: RegExp]>([
  [
    'flags without --pay',
    ['--plan', '--receiver', 'https://x.example'],
    /^--receiver has no effect without --pay\./,
  ],
  ['a receiver without a port', ['--receiver', 'https://x.example'], /Pass the port with --port\.$/],
  [
    'a receiver on this machine for a remote service',
    ['--target', 'https://dev.x.example', '--receiver', 'http://127.0.0.1:9'],
    /^https:\/\/dev\.x\.example cannot reach --receiver http:\/\/127\.0\.0\.1:9, because that address is on this machine\./,
  ],
  ['a receiver with a query', ['--receiver', 'https://x.example/?a'], /must be an address without a query/],
  [
    'a tunnel of no sandbox',
    ['--receiver', 'http://127.0.0.1:1/tunnel/a'],
    /^The tunnel a at http:\/\/127\.0\.0\.1:1 cannot be used: no sandbox answers/,
  ],
  [
    'a tunnel that leads elsewhere',
    ['--receiver', 'http://127.0.0.1:1', '--port', 'FREE'],
    /did not arrive at port \d+ of this machine\. Start your tunnel to this port first/,
  ],
])('calibrate --pay: rejects %s before the first call', async ([, args, message], { calibrate, sandbox }) => {
  const port = String(await freePort())
  const pay = args.includes('--plan') ? [] : QUICK
  const run = await calibrate.run(
    ...(args.includes('--target') ? [] : ['--target', sandbox.url]),
    ...pay,
    ...args.map((arg) => (arg === 'FREE' ? port : arg)),
  )
  expect([run.code, run.stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringMatching(message)])
  expect((await sandbox.control('GET', '/events?type=api.request')).answer.events).toEqual([])
})

test('calibrate --pay: the times of redirect and webhook show which comes first, and which webhooks are repeated', () => {
  const attempt = (at: number, answeredAt: number) => ({ at, answeredAt })
  const order = (redirectAt: number | undefined, ...attempts: ReturnType<typeof attempt>[]) => {
    const point = evaluateSequence({ redirectAt, attempts, quietMs: 0 }, '2026-07-01')
    return point.verdict === 'confirmed' ? point.value : point.verdict === 'undecided' && point.reason
  }
  expect(order(20, attempt(10, 20))).toBe('together')
  expect(order(30, attempt(10, 20))).toBe('webhook-first')
  expect(order(10, attempt(210, 220))).toBe(
    'The redirect arrived 200 ms before the webhook, which fits redirect-first and together.',
  )
  expect([order(10), order(undefined, attempt(1, 2))]).toEqual([
    'No webhook arrived.',
    'No redirect arrived.',
  ])

  const retries = (...attempts: ReturnType<typeof attempt>[]) =>
    evaluateRetries({ redirectAt: 0, attempts, quietMs: 30_000 }, '2026-07-01')
  expect(retries(attempt(0, 10), attempt(5_020, 5_030), attempt(35_010, 35_020))).toMatchObject({
    verdict: 'confirmed',
    value: '5s,30s',
    exchanges: 3,
  })
  expect(retries(attempt(0, 10))).toEqual({
    verdict: 'undecided',
    reason: 'The failed webhook was not sent again within 30 s.',
  })
})
