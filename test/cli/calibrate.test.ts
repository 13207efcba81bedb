import { parseXml } from '@rgrove/parse-xml'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CalibrationFile } from '../../server/contract/schemas/calibration.ts'
import { createAccount } from '../support/account.ts'
import { isControlCall } from '../support/control-call.ts'
import { startChangingProxy } from '../support/changing-proxy.ts'
import { runCli, startCli } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { harProblems } from '../support/har-problems.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, courier, production, shop } from '../support/sandbox.ts'
import { test as base } from '../support/test.ts'

const DEV_KEY = shop.apiKey
const QUICK = ['--key-env', 'DEV_KEY', '--yes', '--rate', '999999/s']

const test = base.extend('calibrate', ({ folder }) => ({
  run: (target: string, ...args: string[]) =>
    runCli(['calibrate', '--target', target, ...QUICK, ...args], { cwd: folder.path, env: { DEV_KEY } }),
  read: (file: string) => readFileSync(join(folder.path, file), 'utf8'),
  write: (file: string, text: string) => writeFileSync(join(folder.path, file), text),
}))

test('calibrate --plan: lists every call, and calls nothing', async ({ folder }) => {
  const { code, stdout } = await runCli(['calibrate', '--plan'], { cwd: folder.path })

  expect(code).toBe(0)
  expect(stdout).toContain('index: an index past the end of a URL list\n  decides: indexOutOfRange\n')
  expect(stdout).toContain(
    '  - createLink with index 99999 in callback_url (creates a link, if the service accepts it)\n',
  )
  expect(stdout).toContain(
    'Not run: split-link. It needs --recipient, the recipient token of another account.\n',
  )
  expect(stdout).toContain(
    'Not decided: rateLimit. It is only observed: calibrate does not provoke a limit.\n',
  )
  expect(stdout).toMatch(
    /\n84 calls, 4 min or more at this rate\..*\n19 of them are control calls: .*\nThey create 24 links of €0\.01, and up to 17 more/,
  )
})

test('calibrate: makes exactly the calls of the plan, and writes the key nowhere', async ({
  sandbox,
  folder,
  calibrate,
}) => {
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    // A service can repeat the key in any answer.
    answer.envelope.echo = [DEV_KEY, btoa(`x:${DEV_KEY}`), encodeURIComponent(DEV_KEY).replace('d', '%64')]
    answer.envelope.long = `${'y'.repeat(983)}${DEV_KEY}`
    answer.headers['set-cookie'] = 'session=secret'
  })
  const flags = ['--recipient', courier.recipientToken]
  const plan = await runCli(['calibrate', '--plan', '--json', ...flags], { cwd: folder.path })
  const { calls, probes } = JSON.parse(plan.stdout)
  const run = await calibrate.run(proxy.url, ...flags, '--har', 'c.har', '--junit', 'c.xml', '--json')

  const planned = probes.flatMap(({ requests }: { requests: { operation: string }[] }) => [
    ...requests.map(({ operation }) => operation),
    'createLink',
  ])
  expect(proxy.calls.map(({ operation }) => operation)).toEqual(['createLink', ...planned])
  expect(proxy.calls).toHaveLength(calls)
  expect(run.code).toBe(1)
  expect(JSON.parse(run.stdout)).toMatchObject({ calls, set: {}, failures: [] })

  const texts = [run.stdout, run.stderr, ...readdirSync(folder.path).map((file) => calibrate.read(file))]
  expect(readdirSync(folder.path).toSorted()).toEqual(['c.har', 'c.xml', 'paylink.calibration.json'])
  const encodings = [
    // Also looks for parts of the key, because a quoted or shortened text may contain only a part.
    'FlowerShopFakeApiKey',
    'devFlow',
    courier.recipientToken,
    btoa(`x:${DEV_KEY}`).slice(4, -4),
    '%64evFlower',
    'session=secret',
  ]
  for (const text of texts) for (const secret of encodings) expect(text).not.toContain(secret)
  const har = JSON.parse(calibrate.read('c.har'))
  expect(har.log.entries).toHaveLength(calls)
  expect(har.log.entries[0].request.headers[0].value).toMatch(/^<key-[\da-f]{8}>$/)
  expect(await harProblems(har)).toEqual([])
})

test('calibrate: masks a key in an answer that is not text', async ({ folder, calibrate }) => {
  const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(DEV_KEY)])
  await using service = await startRawReceiver((response) => response.end(bytes))
  const run = await calibrate.run(service.origin, '--har', 'c.har', '--json')

  expect(JSON.parse(run.stdout)).toMatchObject({ failures: [] })
  const texts = [run.stdout, run.stderr, ...readdirSync(folder.path).map((file) => calibrate.read(file))]
  for (const text of texts) expect(text).not.toContain(bytes.toString('base64').slice(4, -4))
})

test('calibrate: finds the behaviors, sets them in the configuration, and then agrees', async ({
  sandbox,
  calibrate,
}) => {
  await sandbox.control('PATCH', '/behaviors', { errorStatus: 'http', payId: 'distinct', https: 'required' })
  calibrate.write(
    'paylink.config.json',
    '{\n    "port": 4401,\n    "behaviors": { "order": "webhook-first" }\n}\n',
  )
  const first = await calibrate.run(sandbox.url)

  expect(first.code).toBe(1)
  expect(first.stdout).toContain(
    '✕ errorStatus=http: shown by 3 exchanges; the sandbox is set to another option (ok)\n',
  )
  expect(first.stdout).toContain('✓ numericStrings=refuse: shown by 2 exchanges\n')
  expect(first.stdout).toContain('? retries: This shows only in a webhook. Pass --pay and --receiver.\n')
  expect(first.stdout).toContain(
    'To give the sandbox the behaviors of the service, pass --write, or add to the configuration: "behaviors": {"payId":"distinct","errorStatus":"http","https":"required"}\n',
  )
  const written = await calibrate.run(sandbox.url, '--write')
  expect(written.code).toBe(0)
  expect(written.stdout).toContain(
    'paylink.config.json has the behaviors of the service now: payId=distinct, errorStatus=http, https=required.\n',
  )
  expect(calibrate.read('paylink.config.json')).toBe(
    `${JSON.stringify({ port: 4401, behaviors: { order: 'webhook-first', payId: 'distinct', errorStatus: 'http', https: 'required' } }, null, 4)}\n`,
  )
  expect((await calibrate.run(sandbox.url)).code).toBe(0)
})

test('calibrate --check: compares the service with an earlier run, and changes no file', async ({
  sandbox,
  folder,
  calibrate,
}) => {
  const none = await calibrate.run(sandbox.url, '--check')
  expect([none.code, none.stderr]).toEqual([
    2,
    '--check compares with paylink.calibration.json, which does not exist. Run calibrate once without --check.\n',
  ])
  let isChanged = false
  await using proxy = await startChangingProxy(sandbox.url, ({ envelope }) => {
    envelope.trace = 1
    if (isChanged) delete envelope.data?.qr_img
  })
  expect((await calibrate.run(proxy.url)).code).toBe(1)
  const file = calibrate.read('paylink.calibration.json')

  const same = await calibrate.run(proxy.url, '--check')
  expect([same.code, same.stdout.split('\n')[0]]).toEqual([
    0,
    'The service still agrees with paylink.calibration.json.',
  ])
  isChanged = true
  await sandbox.control('PATCH', '/behaviors', { indexOutOfRange: 'ignore' })
  const other = await calibrate.run(proxy.url, '--check', '--junit', 'check.xml')
  expect(other.code).toBe(1)
  expect(other.stdout).toContain('✕ indexOutOfRange: It was refuse. Now it is ignore.\n')
  expect(other.stdout).toContain(
    '✕ createLink data.qr_img: New difference: request plain of createLink, data.qr_img: missing in the service, "" in the sandbox.\n',
  )
  expect(calibrate.read('paylink.calibration.json')).toBe(file)
  expect(Number(parseXml(calibrate.read('check.xml')).root!.attributes.failures)).toBeGreaterThan(1)
  expect(readdirSync(folder.path).toSorted()).toEqual(['check.xml', 'paylink.calibration.json'])
})

test('calibrate --only: checks the named points, and keeps the others of the file', async ({
  sandbox,
  calibrate,
}) => {
  const read = () => JSON.parse(calibrate.read('paylink.calibration.json')) as CalibrationFile
  await calibrate.run(sandbox.url)
  const before = read()
  await sandbox.control('PATCH', '/behaviors', { numericStrings: 'accept', errorStatus: 'http' })
  const run = await calibrate.run(sandbox.url, '--only', 'numericStrings')

  expect(run.stdout.split('\n').slice(0, 5)).toEqual([
    '',
    'Requests and errors',
    '✕ numericStrings=accept: shown by 2 exchanges; the sandbox is set to another option (refuse)',
    '',
    expect.stringMatching(/^Created 4 links/),
  ])
  expect(before).toMatchObject({ version: 1, target: sandbox.url, differences: [] })
  expect(Object.keys(read().points)).toEqual(Object.keys(before.points))
  expect(read().points).toEqual({
    ...before.points,
    numericStrings: {
      verdict: 'confirmed',
      value: 'accept',
      exchanges: 2,
      on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
  })
})

test('calibrate: exits with 3 if no answer could be compared, and writes no result', async ({
  folder,
  calibrate,
}) => {
  const host = `127.0.0.1:${await freePort()}`
  const { code, stdout } = await calibrate.run(`http://${host}`)

  expect(code).toBe(3)
  expect(stdout).toContain(
    `✕ The run stopped: the control call failed: no answer came: connection refused, nothing listens on ${host}.\n`,
  )
  expect(stdout).toContain('Nothing could be checked: no probe got an answer that could be evaluated.\n')
  expect(stdout.split('connection refused')).toHaveLength(2)
  expect(readdirSync(folder.path)).toEqual([])
})

test('calibrate: says what is wrong with a certificate, and what to do', async ({ calibrate }) => {
  await using service = await openSandbox({ tls: true })
  const { code, stdout } = await calibrate.run(service.url)

  expect(code).toBe(3)
  expect(stdout).toContain(
    'no answer came: its certificate is self-signed, so it is not trusted. Set NODE_EXTRA_CA_CERTS',
  )
})

test('calibrate: keeps the earlier results of calls whose connection fails', async ({
  sandbox,
  folder,
  calibrate,
}) => {
  let isCut = false
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    answer.envelope.trace = 1
    answer.isCut = isCut && !isControlCall(answer)
  })
  await calibrate.run(proxy.url)
  const before = JSON.parse(calibrate.read('paylink.calibration.json')) as CalibrationFile
  isCut = true
  const run = await calibrate.run(proxy.url)

  expect(run.code).toBe(1)
  expect(run.stdout).toContain('? missingToken: createSplitLink without a token: the answer was cut off.\n')
  const after = JSON.parse(calibrate.read('paylink.calibration.json')) as CalibrationFile
  const verdicts = ({ points }: CalibrationFile) =>
    Object.entries(points).map(([name, { verdict }]) => [name, verdict])
  expect(verdicts(after)).toEqual(verdicts(before))
  expect(after.points.missingToken).toMatchObject({ verdict: 'confirmed' })
  expect(after.differences).toEqual(before.differences)
  expect(readdirSync(folder.path)).toEqual(['paylink.calibration.json'])
})

test('calibrate: reports before the first call that the result file cannot be written', async ({
  sandbox,
  calibrate,
}) => {
  await using proxy = await startChangingProxy(sandbox.url, () => {})
  calibrate.write('taken', '')
  const run = await calibrate.run(proxy.url, '--file', 'taken/result.json')
  expect([run.code, run.stdout, proxy.calls]).toEqual([2, '', []])
  expect(run.stderr).toMatch(
    /^The result cannot be written to taken\/result\.json: .*\. Pass another file with --file\.\n$/,
  )
  await calibrate.run(proxy.url, '--only', 'errorStatus', '--file', 'new/result.json')
  expect(JSON.parse(calibrate.read('new/result.json'))).toMatchObject({ version: 1 })
})

test('calibrate: prints the result although the file can no longer be written', async ({
  sandbox,
  folder,
  calibrate,
}) => {
  await using proxy = await startChangingProxy(sandbox.url, () =>
    mkdirSync(join(folder.path, 'result.json'), { recursive: true }),
  )
  const run = await calibrate.run(proxy.url, '--only', 'errorStatus', '--file', 'result.json')
  expect(run.code).toBe(2)
  expect(run.stdout).toContain('✓ errorStatus=ok: shown by 3 exchanges\n')
  expect(run.stderr).toContain('The result cannot be written to result.json: ')
  expect(readdirSync(folder.path)).toEqual(['result.json'])
})

test('calibrate: reports only links that the service has created', async ({ sandbox, calibrate }) => {
  let isFirst = true
  await using proxy = await startChangingProxy(sandbox.url, ({ operation, envelope }) => {
    if (operation !== 'createLink') return
    if (!isFirst) Object.assign(envelope, { ResponseCode: 0, ResponseMsg: 'No', data: { id: null } })
    isFirst = false
  })
  const run = await calibrate.run(proxy.url, '--only', 'numericStrings')
  expect(run.stdout).toMatch(/\nCreated 1 link with the note "[^"]*": \d+\. No call/)
  expect(run.stdout).not.toContain('undefined')
})

test('calibrate: waits as long as HTTP 429 asks, and makes no more than --max-calls', async ({
  sandbox,
  calibrate,
}) => {
  let limits = 2
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    if (answer.operation !== 'refundPayment' || limits === 0) return
    limits -= 1
    answer.status = 429
    answer.headers['retry-after'] = '0'
  })
  const run = await calibrate.run(proxy.url, '--only', 'errorStatus')
  expect([run.code, proxy.calls.length]).toEqual([0, 7])
  expect(run.stderr.match(/The service limits calls\. Waiting 0 s\./g)).toHaveLength(2)

  // The next probe needs three more calls, with the control call after it.
  const few = await calibrate.run(proxy.url, '--max-calls', '10')
  expect([few.code, proxy.calls.length]).toEqual([0, 16])
  expect(few.stdout).toContain('✓ errorStatus=ok: shown by 3 exchanges\n')
  expect(few.stdout).toContain('? numericStrings: --max-calls 10 allows no further probe.\n')
  expect(few.stdout).toMatch(/\nNot sent: \d+ requests\. Reason: --max-calls 10 allows no further probe\.\n/)

  limits = Infinity
  const limited = await calibrate.run(proxy.url, '--max-calls', '10')
  expect(proxy.calls).toHaveLength(26)
  expect(limited.stdout).toContain('? errorStatus: --max-calls 10 was reached.\n')
})

test('calibrate: follows no redirect', async ({ calibrate, receiver }) => {
  await using target = await startReceiver((_received, response) =>
    response.writeHead(307, { location: `${receiver.origin}/api/v2/createLink` }).end(),
  )
  const run = await calibrate.run(target.origin, '--only', 'errorStatus')

  expect(run.code).toBe(3)
  expect(run.stdout).toContain(
    "✕ The run stopped: the control call failed: answered with HTTP 307 instead of the service's envelope.\n",
  )
  expect(receiver.received).toEqual([])
})

test('calibrate: Ctrl-C ends after the call in progress, and writes what was found', async ({
  sandbox,
  folder,
  calibrate,
}) => {
  let count = 0
  await using proxy = await startChangingProxy(sandbox.url, () => {
    count += 1
    if (count === 40) running.interrupt('SIGINT')
  })
  const running = startCli(['calibrate', '--target', proxy.url, ...QUICK], {
    cwd: folder.path,
    env: { DEV_KEY },
  })

  expect(await running.closed).toBe(130)
  expect(proxy.calls).toHaveLength(40)
  const file = JSON.parse(calibrate.read('paylink.calibration.json')) as CalibrationFile
  expect(file.points).toMatchObject({
    payId: { verdict: 'confirmed' },
    missingToken: { verdict: 'undecided' },
  })
  expect(file.points).not.toHaveProperty('checkOrder')
})

test.for<[what: string, args: string[], env: NodeJS.ProcessEnv, message: RegExp]>([
  ['no target', ['--yes'], {}, /requires the address of the development environment/],
  ['a path', ['--target', 'https://x.example/api/v2'], {}, /must be an origin without a path/],
  [
    'plain http',
    ['--target', 'http://dev.x.example', '--key-env', 'K'],
    { K: 'k1' },
    /It must be an https address\. Plain http would show your API key to the network\./,
  ],
  [
    'an address of cloud metadata',
    ['--target', 'https://169.254.169.254', '--key-env', 'K'],
    { K: 'k1' },
    /nothing is ever sent there/,
  ],
  [
    'certificates that nobody verifies',
    ['--target', 'https://dev.x.example', '--key-env', 'K'],
    { K: 'k1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    /^NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate would be verified/,
  ],
  ['no key', ['--target', 'https://x.example'], {}, /requires a key of the development environment/],
  ['an unset key', ['--target', 'https://x.example', '--key-env', DEV_KEY], {}, /is not set/],
  [
    'a key of production',
    ['--target', 'https://x.example', '--key-env', 'K'],
    { K: production.apiKey },
    /The key in K is a production key/,
  ],
  [
    'a variable of production',
    ['--target', 'https://x.example', '--key-env', 'PROD_KEY'],
    { PROD_KEY: 'k1' },
    /says that it contains a production key/,
  ],
  [
    'a host of production',
    ['--target', 'https://live.x.example', '--key-env', 'K'],
    { K: 'k1' },
    /looks like production/,
  ],
  ['no --yes', ['--target', 'https://x.example', '--key-env', 'K'], { K: 'k1' }, /only with --yes/],
  [
    'an unknown point',
    ['--plan', '--only', 'errorstatus'],
    {},
    /names no open point\. Did you mean errorStatus\?/,
  ],
  [
    'a point without a probe',
    ['--plan', '--only', 'retries'],
    {},
    /no call can answer this open point\. This shows only in a webhook/,
  ],
  ['a rate', ['--plan', '--rate', '20'], {}, /must be a number of calls per minute or second/],
  [
    'two modes',
    ['--target', 'https://x.example', '--key-env', 'K', '--yes', '--check', '--write'],
    { K: 'k1' },
    /Pass one of them/,
  ],
])('calibrate: rejects %s before the first call', async ([, args, env, message], { folder }) => {
  const run = await runCli(['calibrate', ...args], { cwd: folder.path, env })

  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(message)
  expect(run.stderr).not.toContain(DEV_KEY)
  expect(existsSync(join(folder.path, 'paylink.calibration.json'))).toBe(false)
})

test('calibrate --from: evaluates recorded calls, and makes none', async ({ sandbox, folder, calibrate }) => {
  const behaviors = { errorStatus: 'http', numericStrings: 'accept', https: 'required', payId: 'distinct' }
  await sandbox.control('PATCH', '/behaviors', behaviors)
  await using proxy = await startChangingProxy(sandbox.url, ({ operation, envelope }) => {
    if (operation === 'createLink') delete envelope.data?.qr_img
    if (operation === 'refundPayment') envelope.echo = DEV_KEY
  })
  const live = await calibrate.run(proxy.url, '--har', 'c.har')
  const made = proxy.calls.length
  const evaluate = (...args: string[]) =>
    runCli(['calibrate', '--from', 'c.har', '--file', 'recorded.json', ...args], { cwd: folder.path })

  const recorded = await evaluate()
  expect([live.code, recorded.code, proxy.calls.length]).toEqual([1, 1, made])
  expect(recorded.stdout).toContain('✕ numericStrings=accept: shown by 2 exchanges;')
  expect(recorded.stdout).toContain('? rateLimit: It is only observed: calibrate does not provoke a limit.\n')
  const { target, points, differences } = JSON.parse(calibrate.read('recorded.json')) as CalibrationFile
  expect(target).toBe(proxy.url)
  expect(points).toMatchObject({
    errorStatus: { verdict: 'confirmed', value: 'http' },
    numericStrings: { verdict: 'confirmed', value: 'accept' },
    requestBody: { verdict: 'confirmed', value: 'json' },
    https: { verdict: 'confirmed', value: 'required' },
    payId: { verdict: 'undecided', reason: 'No recorded call shows it.' },
    resendUnpaid: { verdict: 'undecided', reason: 'No recorded call shows it.' },
    missingToken: { verdict: 'confirmed' },
    linkFields: { verdict: 'differs' },
    checkOrder: { verdict: 'undecided', reason: 'No recorded call shows it.' },
  })
  expect(new Set(differences.map(({ place, kind }) => `${place} ${kind}`))).toEqual(
    new Set(['data.qr_img missing-field', 'echo extra-field']),
  )
  const again = await evaluate('--check', '--json')
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { calls: 0, changes: [] }])
  for (const text of [recorded.stdout, calibrate.read('recorded.json'), again.stdout]) {
    expect(text).not.toContain(DEV_KEY)
  }
})

test('calibrate --from: masks keys and recipient tokens', async ({ sandbox, folder, calibrate }) => {
  const [first, second] = ['recipientToken0001', 'recipientToken0002']
  for (const recipientToken of [first, second]) await createAccount(sandbox, { recipientToken })
  const headers = { token: DEV_KEY }
  const form = new URLSearchParams({
    amount: '5',
    'recipients[0][token]': second,
    'recipients[0][share]': '1',
  })
  await sandbox.call('createSplitLink', { amount: 5, recipients: [{ token: first, share: 1 }] })
  await fetch(`${sandbox.url}/api/v2/createSplitLink`, { method: 'POST', headers, body: form })
  const har = await (await fetch(`${sandbox.url}/_sandbox/v1/export.har`)).text()
  expect(har).toContain(first)
  calibrate.write(
    'traffic.har',
    har.replaceAll('qr_img', 'qr_url').replaceAll('Content-Type', 'content-type'),
  )

  const run = await runCli(['calibrate', '--from', 'traffic.har', '--json', '--junit', 'c.xml'], {
    cwd: folder.path,
  })
  expect(JSON.parse(run.stdout).differences).not.toEqual([])
  expect(run.stdout).toMatch(/<recipient-[\da-f]{8}>/)
  for (const text of [
    run.stdout,
    run.stderr,
    calibrate.read('c.xml'),
    calibrate.read('paylink.calibration.json'),
  ]) {
    for (const secret of [DEV_KEY, 'recipientToken']) expect(text).not.toContain(secret)
  }
})

test('calibrate --from: keeps what an earlier run found, and rejects a file without calls', async ({
  sandbox,
  folder,
  calibrate,
}) => {
  await calibrate.run(sandbox.url, '--har', 'c.har')
  const before = JSON.parse(calibrate.read('paylink.calibration.json')) as CalibrationFile
  const from = (...args: string[]) => runCli(['calibrate', '--from', ...args], { cwd: folder.path })
  expect((await from('c.har')).code).toBe(0)
  const { points } = JSON.parse(calibrate.read('paylink.calibration.json')) as CalibrationFile
  expect(points.payId).toEqual(before.points.payId)
  expect(points.checkOrder).toEqual(before.points.checkOrder)

  calibrate.write('empty.har', '{"log":{"entries":[]}}')
  const refusals = [
    await from('empty.har'),
    await from('none.har'),
    await from('.'),
    await from('c.har', '--yes'),
    await from('c.har', '--target', 'https://other.example'),
  ]
  expect(refusals.map(({ code, stderr }) => [code, stderr])).toEqual([
    [
      2,
      'empty.har has no calls: no request has a path below /api/v2/. Record the calls of your app to the service.\n',
    ],
    [2, 'Cannot read none.har: there is no such file.\n'],
    [2, 'Cannot read .: it is a folder. Name a file in it.\n'],
    [2, '--from only reads recorded calls. Leave out --yes.\n'],
    [
      2,
      expect.stringMatching(
        /^c\.har has no call to https:\/\/other\.example\. It has calls to http:\/\/127\.0\.0\.1:\d+\.\n$/,
      ),
    ],
  ])
})

test('calibrate --write: refuses a configuration that is code', async ({ sandbox, calibrate }) => {
  calibrate.write('paylink.config.ts', 'export default { behaviors: {} }\n')
  const run = await calibrate.run(sandbox.url, '--write')

  expect([run.code, run.stderr]).toEqual([
    2,
    '--write cannot change paylink.config.ts, because it is code. Run without --write, and copy the behaviors that calibrate prints.\n',
  ])
})
