import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CalibrationFile, CalibrationPoint } from '../../server/contract/schemas/calibration.ts'
import { createAccount } from '../support/account.ts'
import { startChangingProxy, type ChangeableAnswer } from '../support/changing-proxy.ts'
import { runCli } from '../support/cli.ts'
import { isControlCall } from '../support/control-call.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { shop } from '../support/sandbox.ts'
import { test as base } from '../support/test.ts'

const test = base.extend('calibrate', ({ folder }) => (target: string, ...args: string[]) => {
  const quick = ['--target', target, '--key-env', 'DEV_KEY', '--yes', '--rate', '999999/s']
  return runCli(['calibrate', ...quick, ...args], { cwd: folder.path, env: { DEV_KEY: shop.apiKey } })
})

const JSON_TYPE = 'application/json'

/** Answers without the service's envelope, and how calibrate describes them. */
const OTHER_ANSWERS: readonly (readonly [
  what: string,
  status: number,
  type: string,
  body: string,
  named: string,
])[] = [
  ['HTTP 302', 302, JSON_TYPE, '', 'HTTP 302'],
  ['HTML', 200, 'text/html', '<h1>Welcome</h1>', 'HTTP 200 and text/html'],
  ['HTML with HTTP 401', 401, 'text/html', '<h1>Log in</h1>', 'HTTP 401 and text/html'],
  ['HTML with HTTP 404', 404, 'text/html', '<h1>Not found</h1>', 'HTTP 404 and text/html'],
  ['HTML with HTTP 500', 500, 'text/html', '<h1>Sorry</h1>', 'HTTP 500'],
  ['HTTP 204', 204, JSON_TYPE, '', 'HTTP 204 and an empty body'],
  ['an empty body', 200, JSON_TYPE, '', 'HTTP 200 and an empty body'],
  ['null', 200, JSON_TYPE, 'null', 'HTTP 200 and other JSON'],
  ['an empty list', 200, JSON_TYPE, '[]', 'HTTP 200 and other JSON'],
  ['a text as JSON', 200, JSON_TYPE, '"ok"', 'HTTP 200 and other JSON'],
  ['an empty object', 200, JSON_TYPE, '{}', 'HTTP 200 and other JSON'],
  ['half of an envelope', 200, JSON_TYPE, '{"ResponseCode":0}', 'HTTP 200 and other JSON'],
  ['another code', 200, JSON_TYPE, '{"ResponseCode":2,"ResponseMsg":"?"}', 'HTTP 200 and other JSON'],
  ['broken JSON', 200, JSON_TYPE, '{"ResponseCode":', 'HTTP 200 and a body that is not JSON'],
  ['JSON with HTTP 500', 500, JSON_TYPE, '{"error":"Internal Server Error"}', 'HTTP 500'],
  ['an envelope with HTTP 503', 503, JSON_TYPE, '{"ResponseCode":0,"ResponseMsg":"Down"}', 'HTTP 503'],
]

interface Result {
  readonly points: Readonly<Record<string, CalibrationPoint>>
  readonly stopped: string | null
  readonly differences: readonly { readonly place: string }[]
}

const confirmedIn = (points: Result['points']): string[] =>
  Object.keys(points).filter((name) => points[name]!.verdict !== 'undecided')

test.for(OTHER_ANSWERS)(
  'calibrate confirms nothing and writes nothing if the service answers only %s',
  async ([, status, type, body, named], { folder, calibrate }) => {
    await using service = await startRawReceiver((response) =>
      response
        .writeHead(status, { 'content-type': type, ...(status === 302 && { location: '/login' }) })
        .end(body),
    )
    const { code, stdout } = await calibrate(service.origin, '--write', '--json')

    const { points, stopped, differences } = JSON.parse(stdout) as Result
    const reason = `answered with ${named} instead of the service's envelope`
    expect([code, stopped]).toEqual([3, `the control call failed: ${reason}`])
    expect([confirmedIn(points), differences, service.received.length]).toEqual([[], [], 1])
    expect(readdirSync(folder.path)).toEqual([])
  },
)

test('calibrate confirms nothing and writes nothing if the service accepts everything but returns no link', async ({
  folder,
  calibrate,
}) => {
  await using service = await startRawReceiver((response) =>
    response
      .writeHead(200, { 'content-type': JSON_TYPE })
      .end('{"ResponseCode":1,"ResponseMsg":"ok","Result":"True"}'),
  )

  const { code, stdout } = await calibrate(service.origin, '--write', '--json')

  const { points, stopped } = JSON.parse(stdout) as Result
  expect([code, stopped]).toEqual([3, 'the service accepts a plain link, but its answer names no link'])
  expect([confirmedIn(points), service.received.length]).toEqual([[], 1])
  expect(readdirSync(folder.path)).toEqual([])
})

const answerWith = (answer: ChangeableAnswer, status: number, type: string, body: string): void => {
  answer.status = status
  answer.headers = { 'content-type': type }
  answer.text = body
}

test.for(OTHER_ANSWERS.filter(([, status]) => status !== 204))(
  'calibrate confirms nothing if the service answers only control calls, and %s to all others',
  async ([, status, type, body, named], { sandbox, folder, calibrate }) => {
    await using proxy = await startChangingProxy(sandbox.url, (answer) => {
      if (!isControlCall(answer)) answerWith(answer, status, type, body)
    })
    const { code, stdout } = await calibrate(proxy.url, '--write')

    const { points, differences, missing } = JSON.parse(
      readFileSync(join(folder.path, 'paylink.calibration.json'), 'utf8'),
    ) as CalibrationFile
    expect([code, confirmedIn(points), differences]).toEqual([1, [], []])
    const reason = `answered with ${named} instead of the service's envelope`
    expect(new Set(missing!.map((one) => one.reason))).toEqual(new Set([reason]))
    expect(stdout).toContain(`✕ ${missing!.length} requests were ${reason}: createLink with all fields, `)
    expect(JSON.parse(readFileSync(join(folder.path, 'paylink.config.json'), 'utf8'))).toEqual({
      behaviors: {},
    })
  },
)

test('calibrate stops in an outage, reports it, and changes no file', async ({
  sandbox,
  folder,
  calibrate,
}) => {
  await sandbox.control('PATCH', '/behaviors', { errorStatus: 'http', numericStrings: 'accept' })
  const before = '{ "port": 4401 }'
  writeFileSync(join(folder.path, 'paylink.config.json'), before)
  let calls = 0
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    calls += 1
    if (calls > 10) answerWith(answer, 500, JSON_TYPE, '{"error":"Internal Server Error"}')
  })
  const run = await calibrate(proxy.url, '--write', '--junit', 'c.xml')

  expect([run.code, calls]).toEqual([1, 12])
  expect(run.stdout).toContain(
    '✕ errorStatus=http: shown by 3 exchanges; the sandbox is set to another option (ok)\n',
  )
  expect(run.stdout).toContain(
    "? numericStrings: The control call failed: answered with HTTP 500 instead of the service's envelope.\n",
  )
  expect(run.stdout).toContain(
    'paylink.calibration.json and the configuration are not changed, because the run stopped.\n',
  )
  expect(readdirSync(folder.path).toSorted()).toEqual(['c.xml', 'paylink.config.json'])
  expect(readFileSync(join(folder.path, 'paylink.config.json'), 'utf8')).toBe(before)
  expect(readFileSync(join(folder.path, 'c.xml'), 'utf8')).toContain(
    'The run stopped: the control call failed',
  )
})

/** An HTTP date in the past, so that the test waits for nothing. */
const PAST = 'Wed, 21 Oct 2015 07:28:00 GMT'

test.for(['0', ' 0 ', PAST])(
  'calibrate waits as long as Retry-After: %s asks, and evaluates the next answer',
  async (retryAfter, { sandbox, calibrate }) => {
    let limited = 0
    await using proxy = await startChangingProxy(sandbox.url, (answer) => {
      if (answer.operation !== 'refundPayment' || limited === 3) return
      limited += 1
      answer.status = 429
      answer.headers['retry-after'] = retryAfter
    })
    const run = await calibrate(proxy.url, '--only', 'errorStatus')

    expect(run.code).toBe(0)
    expect(run.stdout).toContain('✓ errorStatus=ok: shown by 3 exchanges\n')
    expect(run.stderr.match(/The service limits calls\. Waiting 0 s\./g)).toHaveLength(3)
  },
)

test.for<[what: string, retryAfter: string | undefined, calls: number, named: string]>([
  ['no Retry-After', undefined, 1, 'no Retry-After'],
  ['an empty one', '', 1, 'no Retry-After'],
  ['one that is not a time', 'soon', 1, 'Retry-After is "soon", which is not a time'],
  ['a negative one', '-1', 1, 'Retry-After is "-1", which is not a time'],
  ['one beyond the limit', '301', 1, 'Retry-After is 301, and calibrate waits at most 300 s'],
  [
    'a date beyond the limit',
    'Fri, 31 Dec 2100 23:59:59 GMT',
    1,
    'Retry-After is Fri, 31 Dec 2100 23:59:59 GMT, and calibrate waits at most 300 s',
  ],
  ['one that never ends', '0', 4, 'also after 3 repetitions'],
])(
  'calibrate counts HTTP 429 with %s as a missing answer',
  async ([, retryAfter, calls, named], { sandbox, calibrate }) => {
    await using proxy = await startChangingProxy(sandbox.url, (answer) => {
      if (answer.operation !== 'refundPayment') return
      answer.status = 429
      if (retryAfter !== undefined) answer.headers['retry-after'] = retryAfter
    })
    const run = await calibrate(proxy.url, '--only', 'errorStatus')

    expect(run.code).toBe(1)
    expect(run.stdout).toContain(
      `✕ refundPayment of an unknown payment: answered with HTTP 429 (${named}) instead of the service's envelope\n`,
    )
    expect(run.stdout).toContain('✓ errorStatus=ok: shown by 2 exchanges\n')
    expect(proxy.calls.filter(({ operation }) => operation === 'refundPayment')).toHaveLength(calls)
  },
)

test('calibrate --write: a second run with the same service finds no difference, whatever the settings of the account', async ({
  sandbox,
  folder,
}) => {
  await sandbox.control('PATCH', '/behaviors', { errorStatus: 'http', payId: 'distinct', https: 'required' })
  const { apiKey } = await createAccount(sandbox, {
    callbackUrls: ['https://other.example/done'],
    webhookUrls: Array.from({ length: 7 }, (_none, index) => `https://other.example/hooks/${index}`),
  })
  const env = { cwd: folder.path, env: { OTHER_KEY: apiKey } }
  const args = ['calibrate', '--target', sandbox.url, '--key-env', 'OTHER_KEY', '--yes', '--rate', '999999/s']
  const written = await runCli([...args, '--write'], env)
  const again = await runCli(args, env)

  expect([written.code, again.code]).toEqual([0, 0])
  expect(again.stdout.split('\n').filter((line) => line.startsWith('✕'))).toEqual([])
})

test.for<[what: string, change: (answer: ChangeableAnswer) => void, found: (result: Result) => void]>([
  [
    '50,000 fields',
    ({ envelope }) => {
      envelope.trace = Object.fromEntries(
        Array.from({ length: 50_000 }, (_none, index) => [`f${index}`, index]),
      )
    },
    ({ differences }) => expect(new Set(differences.map(({ place }) => place))).toEqual(new Set(['trace'])),
  ],
  [
    '50,000 fields in data',
    ({ envelope: { data } }) => {
      if (data) for (let index = 0; index < 50_000; index += 1) data[`f${index}`] = index
    },
    ({ differences }) => {
      expect(differences.length).toBeLessThan(400)
      expect(differences.map(({ place }) => place)).toContain('data.f1')
    },
  ],
  [
    '100,000 nested lists',
    (answer) => {
      answer.text = JSON.stringify(answer.envelope).replace(
        /\}$/,
        `,"trace":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      )
    },
    ({ differences }) => expect(differences.map(({ place }) => place)).toContain('trace'),
  ],
  [
    '1 MiB of lists',
    (answer) => {
      const lists = Array.from({ length: 340_000 }, () => '[]').join(',')
      answer.text = JSON.stringify(answer.envelope).replace(/\}$/, `,"trace":[${lists}]}`)
    },
    ({ differences }) => expect(differences.map(({ place }) => place)).toContain('trace'),
  ],
  [
    'a byte order mark',
    (answer) => (answer.text = `\uFEFF${JSON.stringify(answer.envelope)}`),
    ({ differences }) => expect(differences).toEqual([]),
  ],
])('calibrate survives an answer with %s', async ([, change, found], { sandbox, calibrate }) => {
  await using proxy = await startChangingProxy(sandbox.url, change)
  const run = await calibrate(proxy.url, '--only', 'createLink,errorStatus,numericStrings', '--json')

  const result = JSON.parse(run.stdout) as Result
  expect([result.stopped, run.stderr.includes('RangeError')]).toEqual([null, false])
  expect(confirmedIn(result.points)).toEqual(expect.arrayContaining(['errorStatus', 'createLink']))
  found(result)
})

test('calibrate --from: counts the answers that could not be compared, and says why', async ({
  sandbox,
  folder,
}) => {
  const entry = (operation: string, request: object, status: number, type: string, text: string) => ({
    startedDateTime: '2026-07-01T12:00:00.000Z',
    request: {
      method: 'POST',
      url: `https://dev.pay.example/api/v2/${operation}`,
      headers: [{ name: 'token', value: shop.apiKey }],
      postData: { mimeType: JSON_TYPE, text: JSON.stringify(request) },
    },
    response: { status, headers: [{ name: 'content-type', value: type }], content: { mimeType: type, text } },
  })
  const entries = [
    entry('createLink', { amount: 1 }, 302, 'text/html', '<h1>Log in</h1>'),
    entry('createLink', { amount: 2 }, 302, 'text/html', '<h1>Log in</h1>'),
    entry(
      'refundPayment',
      { pay_id: 77, refund_amount: 1 },
      200,
      JSON_TYPE,
      '{"ResponseCode":0,"ResponseMsg":"Refund already requested","Result":"False","ServerTime":"CEST"}',
    ),
  ]
  writeFileSync(join(folder.path, 'c.har'), JSON.stringify({ log: { entries } }))
  const run = await runCli(['calibrate', '--from', 'c.har'], { cwd: folder.path, env: {} })
  const imported = await runCli(['import', 'c.har'], {
    cwd: folder.path,
    env: { PAYLINK_URL: sandbox.url },
  })

  expect(run.code).toBe(3)
  expect(run.stdout).toContain(
    "✕ 2 requests were answered with HTTP 302 instead of the service's envelope: recorded call 1, createLink, recorded call 2, createLink\n",
  )
  const payment = 'The answer depends on a payment that only the real service knows.'
  expect(run.stdout).toContain(`? 1 answer not compared: ${payment}\n`)
  expect(existsSync(join(folder.path, 'paylink.calibration.json'))).toBe(false)
  expect(imported.stdout).toContain(`1 call not compared: ${payment}\n`)
})
