import { parseXml } from '@rgrove/parse-xml'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { checkCases } from '../../server/verify/receiver-check/cases.ts'
import { startCheckedApp } from '../support/checked-app.ts'
import { run as runCommand } from '../../server/cli/run.ts'
import { runCli, startCli } from '../support/cli.ts'
import { cleanEnvironment } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('check: starts a sandbox, checks the receiver and prints how to repeat what failed', async ({
  folder,
}) => {
  await using receiver = await startReceiver(({ contentType }, response) =>
    response.writeHead(contentType.includes('json') ? 415 : 200).end(),
  )
  const args = ['check', receiver.url, '--only', 'json,repeated', '--details']
  const run = await runCli([...args, '--junit', 'check.xml', '--markdown', 'check.md'], { cwd: folder.path })

  expect(run.code).toBe(1)
  expect(run.stdout).toBe(
    `Your app does not accept a webhook in JSON.\n  json: The webhook as JSON.\n  Seen: the app answered 415, from ${receiver.url}.\n  What to do: Answer each webhook of the service with a 2xx status, even if there is nothing left to do. Read both forms and JSON. The API reference mentions both.\nNot checked: Whether orders are paid: pass --state-url.\n1 passed, 1 failed. Only answers were checked.\n`,
  )
  expect(run.stderr.split('\n')).toEqual([
    '✕ json',
    '    Case: The webhook as JSON',
    '    Expected: a 2xx within 10 s, and no redirect',
    expect.stringMatching(/^ {4}Seen: the app answered 415, from http\S+$/),
    '    Why: Read both forms and JSON. The API reference mentions both.',
    expect.stringMatching(/^ {4}Repeat: curl 'http.*--data-raw '\{"ResponseCode":1,.*\}'$/),
    '✓ repeated',
    '',
  ])
  const report = parseXml(readFileSync(join(folder.path, 'check.xml'), 'utf8'))
  expect(report.root!.attributes).toMatchObject({ tests: '2', failures: '1' })
  expect(readFileSync(join(folder.path, 'check.md'), 'utf8')).toContain('1 passed, 1 failed')

  const short = await runCli(args.slice(0, -1), { cwd: folder.path })
  expect(short.stderr).toBe('')
  expect(short.stdout).toMatch(
    /\nFor what was expected, why, and how to repeat a case: pass --details\.\nTo write each failure as a test: pass --tests <folder>\.\n$/,
  )
})

test('check: shows its progress in one line of a terminal, and removes it before the result', async ({
  folder,
}) => {
  await using receiver = await startReceiver(({ contentType }, response) =>
    response.writeHead(contentType.includes('json') ? 415 : 200).end(),
  )
  let written = ''
  const terminal = { isTTY: true, write: (text: string) => (written += text) }
  await runCommand(['check', receiver.url, '--only', 'json,repeated'], {
    cwd: folder.path,
    env: cleanEnvironment(),
    stdout: terminal,
    stderr: terminal,
  })

  const line = (text: string): string => `\r\u001b[K${text}`
  expect(written.slice(0, written.indexOf('Your app'))).toBe(
    line('1 of 2 cases, 1 failed') + line('2 of 2 cases, 1 failed') + line(''),
  )
})

test('check: prints one line of advice if the receiver accepts JSON only', async ({ folder }) => {
  await using receiver = await startReceiver(({ contentType }, response) =>
    response.writeHead(contentType.includes('json') ? 200 : 415).end(),
  )
  const args = ['check', receiver.url, '--only', 'form-encoded-brackets,form-charset,json']
  const advice =
    'The receiver accepts only JSON. The service sends application/x-www-form-urlencoded, as the API reference shows: also parse forms.'

  const run = await runCli(args, { cwd: folder.path })
  expect(run.stdout.split('\n').slice(3, 7)).toEqual([
    `  What to do: ${advice}`,
    '  Also failed, for the same reason: form-charset.',
    'Not checked: Whether orders are paid: pass --state-url.',
    expect.stringMatching(/^1 passed, 2 failed/),
  ])
  const json = await runCli([...args, '--json'], { cwd: folder.path })
  expect([json.code, JSON.parse(json.stdout).advice]).toEqual([1, advice])
  const markdown = await runCli([...args, '--markdown', '-'], { cwd: folder.path })
  expect(markdown.stderr).toContain(advice)
  expect(markdown.stdout).not.toContain(advice)
})

test('check: reports several failures with the same cause once', async ({ folder }) => {
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<title>Log in</title>'),
  )
  const only = 'form-encoded-brackets,form-charset,json,garbage-form'
  const run = await runCli(['check', receiver.url, '--only', only, '--details', '--markdown', 'check.md'], {
    cwd: folder.path,
  })

  expect(run.code).toBe(1)
  expect(run.stdout.split('\n')).toEqual([
    'Your app does not accept the webhook of a payment.',
    '  form-encoded-brackets: A form with percent-encoded brackets (data%5Bpay_id%5D).',
    expect.stringMatching(/^  Seen: the app answered 200 "<title>Log in/),
    expect.stringMatching(/^  What to do: If your app answers good webhooks in this way, pass --state-url/),
    '  Also failed, for the same reason: form-charset and json.',
    'Not checked: Whether orders are paid: pass --state-url.',
    'Not checked: garbage-form, because even a good webhook fails: mend form-encoded-brackets first.',
    expect.stringMatching(/^0 passed, 3 failed, 1 skipped/),
    '',
  ])
  const lines = run.stderr.split('\n')
  expect(lines.filter((line) => line.startsWith('    Seen: '))).toEqual([
    `    Seen: the app answered 200 "<title>Log in</title>" (text/html; charset=utf-8), from ${receiver.url}`,
  ])
  expect(lines.slice(-4).toSorted()).toEqual([
    '',
    '○ garbage-form: even a good webhook fails: mend form-encoded-brackets first',
    '✕ form-charset: same cause as form-encoded-brackets',
    '✕ json: same cause as form-encoded-brackets',
  ])
  expect(readFileSync(join(folder.path, 'check.md'), 'utf8')).toContain(
    '**json**: same cause as form-encoded-brackets',
  )
})

test('check: fails if every case is skipped', async ({ folder }) => {
  await using receiver = await startReceiver()

  const run = await runCli(['check', receiver.url, '--only', 'success-after-refund'], { cwd: folder.path })

  expect([run.code, run.stdout.split('\n')[0]]).toEqual([
    1,
    'Nothing was checked, because every case was skipped.',
  ])
})

test('check: creates orders and reads their state through URLs of the app', async ({ folder, sandbox }) => {
  await using app = await startCheckedApp({ url: sandbox.url, apiKey: shop.apiKey }, 'trusts the redirect')
  const flags = ['--order-url', app.orderUrl, '--state-url', app.stateUrl, '--count-pointer', '/fulfilled']
  const run = await runCli(
    [
      'check',
      app.receiver,
      ...flags,
      '--order-body=-x',
      '--only',
      'redirect-alone',
      '--only=form-charset',
      '--json',
      '--details',
    ],
    { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } },
  )

  expect(run.code).toBe(1)
  expect(JSON.parse(run.stdout)).toMatchObject({
    checked: 'fulfilments',
    results: [
      { name: 'form-charset', outcome: 'passed' },
      {
        name: 'redirect-alone',
        outcome: 'failed',
        seen: expect.stringMatching(/^the order is paid instead of unpaid \(from your state URL http:\/\//),
        repeat: null,
      },
    ],
  })
  expect(run.stderr).toContain(
    `Repeat: npx paylink-sandbox check ${app.receiver} --order-url ${app.orderUrl} --order-body=-x --state-url '${app.stateUrl}' --count-pointer /fulfilled --only redirect-alone --details\n`,
  )
})

test('check: groups failed cases by their problem if they have different causes', async ({
  folder,
  sandbox,
}) => {
  await using app = await startCheckedApp({ url: sandbox.url, apiKey: shop.apiKey }, 'counts every webhook')
  const only = 'json,repeated,repeated-at-once,resent-later,second-payment'
  const run = await runCli(
    ['check', app.receiver, '--order-url', app.orderUrl, '--state-url', app.stateUrl].concat([
      '--count-pointer',
      '/fulfilled',
      '--only',
      only,
    ]),
    { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } },
  )
  const lines = run.stdout.split('\n')
  expect(lines.slice(0, 7)).toEqual([
    'The same webhook, sent twice, fulfills the order twice.',
    '  repeated: The same webhook twice, one after the other.',
    expect.stringMatching(
      /^  Seen: the order was fulfilled 2 times instead of once \(from your state URL http/,
    ),
    expect.stringMatching(/^  Your app answered the webhook with 200/),
    '  What to do: Fulfill each order once. The service may repeat a webhook.',
    '  Also failed, probably for the same reason: repeated-at-once and resent-later.',
    'A second payment fulfills the order again.',
  ])
  expect(lines).toContain(
    '1 passed, 4 failed. The check looked at the answers of your app, at whether orders are paid, and at how often they are fulfilled.',
  )
})

test('check: a login page counts as one cause, even if it has a different address for each order', async ({
  folder,
  sandbox,
}) => {
  await using app = await startReceiver((_received, response) =>
    response.writeHead(302, { location: '/login' }).end(),
  )
  const { apiKey } = shop
  await using orders = await startReceiver(async (_received, response) => {
    await fetch(`${sandbox.url}/api/v2/createLink`, {
      method: 'POST',
      headers: { token: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 5, payment_endpoint: `${app.url}/${orders.received.length}` }),
    })
    response.writeHead(201).end()
  })
  const run = await runCli(
    [
      'check',
      app.url,
      '--order-url',
      orders.url,
      '--only',
      'form-encoded-brackets,form-charset,extra-fields,unknown-pay-id',
    ],
    { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } },
  )
  expect(run.stdout).toMatch(
    /^Your app answers every webhook with 302 to \/login\.\n.*\n.*\n  What to do: Exclude \/webhook\/\d+ from the login check\.\n  Also failed, for the same reason: form-charset, extra-fields and unknown-pay-id\.\n/,
  )
})

test('check: reads the state of orders through a TypeScript module', async ({ folder, sandbox }) => {
  await using app = await startCheckedApp({ url: sandbox.url, apiKey: shop.apiKey })
  writeFileSync(
    join(folder.path, 'orders.ts'),
    `export default {
      createOrder: () => fetch('${app.orderUrl}', { method: 'POST' }),
      async orderState({ note }: { note: string }) {
        const order = await (await fetch('${app.stateUrl}'.replace('{note}', encodeURIComponent(note)))).json()
        return { paid: order.status === 'paid', times: order.fulfilled }
      },
    }`,
  )
  const args = [
    'check',
    app.receiver,
    '--order-state-module',
    'orders.ts',
    '--only',
    'repeated-at-once',
    '--markdown',
    '-',
  ]
  const run = await runCli([...args, '--sandbox', sandbox.url], { cwd: folder.path })

  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringMatching(/^### .*: 1 passed\n[^]*✅ passed \| repetition \| repeated-at-once/),
  ])
  expect(run.stderr).toContain(
    '1 passed. The check looked at the answers of your app, at whether orders are paid, and at how often they are fulfilled.',
  )
})

test('check: writes annotations and a summary in GitHub Actions', async ({ folder }) => {
  await using receiver = await startReceiver((_received, response) => response.writeHead(500).end())
  const summary = join(folder.path, 'summary.md')
  writeFileSync(summary, 'before\n')
  const run = await runCli(['check', receiver.url, '--only', 'empty-body'], {
    cwd: folder.path,
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
  })

  expect(run.stderr).toMatch(
    /^::error title=paylink-sandbox check http%3A.*%3A empty-body::the app answered 500, from/m,
  )
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n### .*: 0 passed, 1 failed\n/)
})

test.skipIf(process.platform === 'win32')(
  'check: reports what has been tried when it is interrupted',
  async ({ folder }) => {
    await using receiver = await startReceiver(({ contentType }, response) => {
      if (!contentType.includes('json')) response.end('ok')
    })
    const args = [
      'check',
      receiver.url,
      '--only',
      'form-encoded-brackets,json,repeated',
      '--markdown',
      'check.md',
      '--details',
    ]
    await using run = startCli(args, { cwd: folder.path })
    await run.until(() => run.errors.includes('✓ form-encoded-brackets'))
    run.interrupt('SIGINT')

    expect(await run.closed).toBe(130)
    expect(run.errors.at(-1)).toBe('Interrupted: 1 of 3 tried.')
    expect(readFileSync(join(folder.path, 'check.md'), 'utf8')).toMatch(
      /✅ passed \| [^|]+ \| form-encoded-brackets [^]*⚪ skipped .*: interrupted/,
    )
  },
)

test('check: prints what it has found when it is interrupted, also as JSON', async ({ folder }) => {
  // Without the interruption, the check would wait for the receiver longer than this test may take.
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 3_600_000 })
  for (const flags of [[], ['--json']]) {
    // Refuses JSON, and never answers the webhook of the third case.
    let forms = 0
    await using receiver = await startReceiver(({ contentType }, response) => {
      if (contentType.includes('json')) response.writeHead(415).end()
      else if (++forms === 1) response.end()
    })
    const args = ['check', receiver.url, '--sandbox', sandbox.url, ...flags]
    await using run = startCli([...args, '--only', 'form-encoded-brackets,json,repeated'], {
      cwd: folder.path,
    })
    await receiver.count(3)
    run.interrupt('SIGINT')

    expect(await run.closed).toBe(130)
    expect(run.errors).toEqual([
      `✕ json: the app answered 415, from ${receiver.url}`,
      'Interrupted: 2 of 3 tried.',
    ])
    expect(run.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
      flags.map(() => ({
        error: 'Interrupted: 2 of 3 tried.',
        passed: 1,
        failed: 1,
        skipped: 0,
        results: [{ name: 'form-encoded-brackets' }, { name: 'json', outcome: 'failed' }],
      })),
    )
  }
})

test('check --list: lists the cases', async ({ folder }) => {
  const run = await runCli(['check', '--list'], { cwd: folder.path })
  expect([run.code, run.stdout.trimEnd().split('\n')]).toEqual([
    0,
    checkCases.map(({ name, title }) => `${name.padEnd(31)}${title}`),
  ])
})

test.for<[wrong: string, args: string[], said: RegExp]>([
  ['no receiver', [], /^check requires the address of your receiver\./],
  [
    'a receiver that does not run',
    ['http://127.0.0.1:1/hook'],
    /^Nothing was checked, because http:\/\/127\.0\.0\.1:1\/hook cannot be reached/,
  ],
  [
    'a public receiver',
    ['https://example.com'],
    /^Nothing was sent to https:\/\/example\.com: .*forged webhooks are never sent elsewhere\.$/,
  ],
  ['an unknown case', ['http://127.0.0.1:1/', '--only', 'repeatd'], /Did you mean repeated\?/],
  ['an unknown case to skip', ['http://127.0.0.1:1/', '--skip', 'jsn'], /Did you mean json\?/],
  [
    'no case at all',
    ['http://127.0.0.1:1/', '--only', 'json', '--skip', 'json'],
    /^No case is left to run\./,
  ],
  [
    'orders without a sandbox',
    ['http://127.0.0.1:1/', '--order-url', 'http://127.0.0.1:1/o', '--sandbox', 'http://127.0.0.1:1'],
    /^No sandbox answers at http:\/\/127\.0\.0\.1:1: .* Start one with/,
  ],
  [
    'a module that does not exist',
    ['http://127.0.0.1:1/', '--order-state-module', 'none.ts'],
    /^--order-state-module none\.ts cannot be run: there is no such file\./,
  ],
  [
    'a module that exports nothing',
    ['http://127.0.0.1:1/', '--order-state-module', 'empty.ts'],
    /has no such default export\. Write export default/,
  ],
  [
    'a text of pages without --caller',
    ['http://127.0.0.1:1/', '--paid-text', 'paid'],
    /^--paid-text is for a check of callers\. Pass --caller/,
  ],
  [
    'two reports in one file',
    ['http://127.0.0.1:1/', '--junit', 'a', '--markdown', './a'],
    /are the same file\. Pass two different files\.$/,
  ],
])('check: rejects %s in one line', async ([_wrong, args, said], { folder }) => {
  writeFileSync(join(folder.path, 'empty.ts'), 'export const paid = true\n')
  const run = await runCli(['check', ...args], { cwd: folder.path })

  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr.trimEnd()).toMatch(said)
  expect(run.stderr.trimEnd().split('\n')).toHaveLength(1)

  const json = await runCli(['check', ...args, '--json'], { cwd: folder.path })
  expect(json.code).toBe(2)
  expect(json.stderr.trimEnd()).toMatch(said)
  expect(JSON.parse(json.stdout)).toEqual({
    error: json.stderr.trimEnd(),
    passed: 0,
    failed: 0,
    skipped: 0,
    results: [],
  })
})

test('check: rejects JSON and a report that would both be written to stdout', async ({ folder }) => {
  const run = await runCli(['check', 'http://127.0.0.1:1/', '--json', '--junit', '-'], { cwd: folder.path })

  expect(run.code).toBe(2)
  expect(run.stderr).toMatch(/^--json and a report cannot both use stdout\./)
})

test('check: reports in one line that a fault breaks the API calls that check itself makes', async ({
  folder,
  receiver,
  sandbox,
}) => {
  await sandbox.control('POST', '/faults', { on: 'api', script: '500', times: 'always' })
  const run = await runCli(['check', receiver.url, '--only', 'json', '--sandbox', sandbox.url], {
    cwd: folder.path,
  })

  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(/^The check ended early\. .*Remove faults.*\n$/)
})
