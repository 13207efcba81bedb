import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { MIB } from '../../server/domain/http/limits.ts'
import { connectSandbox } from '../../server/package/index.ts'
import { runCli, startCli } from '../support/cli.ts'
import { createAccount } from '../support/account.ts'
import { NOON, openSandbox, recipients, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

type CallEvent = Extract<EventView, { type: 'api.request' }>

const calls = async ({ control }: OpenSandbox, limit = 100): Promise<readonly CallEvent[]> =>
  (await control('GET', `/events?type=api.request&limit=${limit}`)).answer.events

/** A sandbox with other behaviors. It plays the service where the file was recorded. */
async function recordTraffic() {
  await using service = await openSandbox({
    now: () => new Date(NOON),
    behaviors: { errorStatus: 'http', requestBody: 'json-or-form' },
  })
  const { apiKey } = await createAccount(service)
  await service.call('createLink', { amount: 5 }, { token: apiKey })
  await service.call('createLink', {}, { token: apiKey })
  await fetch(`${service.url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: apiKey },
    body: new URLSearchParams({
      amount: '5',
      'recipients[0][token]': recipients[0]!.token,
      'recipients[0][share]': '30',
    }),
  })
  await service.control('POST', '/links/1001/pay').catch(() => {})
  return { url: service.url, har: await (await fetch(`${service.url}/_sandbox/v1/export.har`)).text() }
}

test('calls of an HTTP Archive appear in the timeline, beside the answers of the sandbox', async ({
  sandbox,
}) => {
  const { url, har } = await recordTraffic()
  const handle = await connectSandbox(sandbox.url)
  const { accounts: before } = (await handle.info()).counts
  const { ignored, ...result } = await handle.importHar(har, { name: 'checkout.har' })
  expect(result).toEqual({ imported: 3, different: 2, comparisonSkipped: {}, leftOut: [] })
  expect(ignored).toBe(JSON.parse(har).log.entries.length - 3)

  const common = { at: NOON, upstream: url, imported: 'checkout.har' }
  const [created, refused, form] = await calls(sandbox)
  expect(created).toMatchObject({ ...common, code: 1, differences: [] })
  expect(refused).toMatchObject({
    ...common,
    code: 0,
    differences: ['The service answers HTTP 422, the sandbox HTTP 200.'],
  })
  expect(form).toMatchObject({ ...common, operation: 'createSplitLink', code: 1 })
  expect(form!.differences).toContain('ResponseCode is 1 in the service, 0 in the sandbox.')

  const { counts, run } = await handle.info()
  expect(counts).toMatchObject({ accounts: before, links: 0 })
  expect(run.operations.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0])
})

test('an imported HAR file of an upstream keeps the name of the real service, and its failed calls', async ({
  sandbox,
}) => {
  await using service = await openSandbox()
  await using mirror = await openSandbox({ upstream: service.url })
  await mirror.createLink()
  await service.close()
  await fetch(`${mirror.url}/api/v2/createLink`, { method: 'POST' })
  const har = await (await fetch(`${mirror.url}/_sandbox/v1/export.har`)).text()

  const handle = await connectSandbox(sandbox.url)
  expect(await handle.importHar(har)).toEqual({
    imported: 2,
    different: 0,
    comparisonSkipped: { 'There is no complete answer.': 1 },
    ignored: 0,
    leftOut: [],
  })
  const [answered, failed] = await calls(sandbox)
  expect(answered).toMatchObject({ upstream: service.url, differences: [], imported: 'a HAR file' })
  expect(failed).toMatchObject({
    upstream: service.url,
    status: 502,
    upstreamError: expect.stringContaining('connection refused'),
  })
  expect(failed).not.toHaveProperty('differences')
})

/** An HTTP Archive with many calls, all alike. */
const manyCalls = (count: number, text = '{}'): string =>
  JSON.stringify({
    log: {
      entries: Array.from({ length: count }, () => ({
        startedDateTime: NOON,
        request: {
          method: 'POST',
          url: 'https://dev.pay.example/api/v2/createSplitLink',
          headers: [],
          postData: { mimeType: 'application/json', text: JSON.stringify({ amount: 100, recipients }) },
        },
        response: { status: 200, content: { text } },
      })),
    },
  })

test('an import stores the first MiB of a large answer, and its size', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const size = 3 * MIB
  await handle.importHar(manyCalls(1, 'x'.repeat(size)))
  const [imported] = await calls(sandbox)
  const { answer } = await sandbox.control('GET', `/events/${imported!.seq}`)
  expect(answer.exchange!.response!.body).toMatchObject({ content: 'x'.repeat(MIB), size })
})

test('an import does not block calls, and stops when its request is aborted', async ({ sandbox }) => {
  const total = 200
  const countImported = async (): Promise<number> =>
    (await control('GET', '/events?type=api.request&limit=1000')).answer.events.filter(
      (event) => 'imported' in event,
    ).length
  const { control } = sandbox
  const request = new AbortController()
  const importing = fetch(`${sandbox.url}/_sandbox/v1/import.har`, {
    method: 'POST',
    body: manyCalls(total),
    signal: request.signal,
  }).catch((error: unknown) => error)
  await control('POST', '/events/wait', { match: { type: 'api.request' } })
  await sandbox.createLink()
  const before = await countImported()
  expect(before).toBeLessThan(60)

  request.abort()
  expect(await importing).toMatchObject({ name: 'AbortError' })
  // The calls of a running import are recorded between these calls.
  let last = -1
  for (let count = await countImported(); count !== last; count = await countImported()) {
    last = count
    for (const _ of [1, 2, 3, 4, 5]) await sandbox.createLink()
  }
  expect(last).toBeLessThan(total)
})

test('import: Ctrl-C stops it, and it says how many calls it has recorded', async ({ sandbox, folder }) => {
  const total = 1_000
  writeFileSync(join(folder.path, 'many.har'), manyCalls(total))
  const run = startCli(['import', 'many.har'], { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } })
  await run.until(() => run.errors.includes(`100 of ${total} calls imported`))
  run.interrupt('SIGINT')

  expect(await run.closed).toBe(130)
  const { answer } = await sandbox.control('GET', '/events?type=api.request&limit=1000')
  const recorded = answer.events.length
  expect(recorded).toBeLessThan(total)
  expect(run.lines.slice(0, 2)).toEqual([
    `Stopped. ${total - recorded} calls of the file are not imported.`,
    expect.stringMatching(`^${recorded} calls imported, `),
  ])
})

test('import: reads a file, can be limited to an origin, and explains what is wrong with a broken file', async ({
  sandbox,
  folder,
}) => {
  const { url, har } = await recordTraffic()
  writeFileSync(join(folder.path, 'checkout.har'), har)
  writeFileSync(join(folder.path, 'broken.har'), har.slice(0, 100))
  const env = { PAYLINK_URL: sandbox.url }
  const run = (...args: string[]) => runCli(['import', ...args], { cwd: folder.path, env })

  expect((await run('checkout.har')).stdout).toMatch(
    /^3 calls imported, 2 different from the sandbox\. \d+ other requests? ignored\.\nSee them at \S+q=is:different\n$/,
  )
  expect(await run('checkout.har', '--origin', 'https://dev.pay.example')).toMatchObject({
    code: 2,
    stderr: `checkout.har has no call to https://dev.pay.example. It has calls to ${url}.\n`,
  })
  expect(JSON.parse((await run('checkout.har', '--origin', url, '--json')).stdout)).toMatchObject({
    imported: 3,
  })

  expect(await run('broken.har')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('The file is not an HTTP Archive: it is not JSON'),
  })
  expect(await run('checkout.har', '--origin', 'dev.pay.example')).toMatchObject({
    code: 2,
    stderr: '--origin is dev.pay.example. It must be an address like https://dev.pay.example.\n',
  })
  expect(await run('missing.har')).toMatchObject({
    code: 2,
    stderr: 'Cannot read missing.har: there is no such file.\n',
  })
  expect(await run('.')).toMatchObject({
    code: 2,
    stderr: 'Cannot read .: it is a folder. Name a file in it.\n',
  })
  const large = join(folder.path, 'large.har')
  writeFileSync(large, '')
  truncateSync(large, 600 * MIB)
  expect(await run('large.har')).toMatchObject({
    code: 2,
    stderr:
      'Cannot read large.har: it has 600 MiB, and at most 64 MiB are read. Record a shorter session, or save only the requests to /api/v2/.\n',
  })
})

const call = {
  startedDateTime: NOON,
  request: {
    method: 'POST',
    url: 'https://dev.pay.example/api/v2/createLink',
    headers: [],
    postData: { mimeType: 'application/json', text: '{}' },
  },
  response: { status: 200, headers: [], content: { size: 2, text: '{}' } },
}

const harOf = (...entries: readonly unknown[]): string => JSON.stringify({ log: { entries } })

test('entries that cannot be read are left out and listed, and missing bodies are not compared', async ({
  sandbox,
  folder,
}) => {
  const asset = { request: { method: 'GET', url: 'https://cdn.example/a.css' }, response: null }
  const withoutAnswer = { ...call, response: { status: 'error' } }
  const answer = { ...call, response: { status: 200, content: { size: -1, mimeType: 'x-unknown' } } }
  const postData = { mimeType: 'application/json', text: '' }
  const request = { ...call, request: { ...call.request, postData, bodySize: -1 } }
  const har = harOf(asset, null, call, withoutAnswer, { ...call, request: null }, answer, request)
  const expected = {
    imported: 4,
    different: 1,
    comparisonSkipped: {
      'There is no complete answer.': 1,
      'The HAR file does not contain the body of the answer.': 1,
      'The HAR file does not contain the body of the request.': 1,
    },
    ignored: 1,
    leftOut: [
      { place: 'log.entries[1]', reason: 'it is null instead of an object' },
      { place: 'log.entries[4]', reason: 'it has no request' },
    ],
  }
  const handle = await connectSandbox(sandbox.url)
  expect(await handle.importHar(har)).toEqual(expected)
  const [, , unknown] = await calls(sandbox)
  expect(unknown).toMatchObject({ code: 0, message: 'HTTP 200, and the body is not known' })
  expect(unknown).not.toHaveProperty('differences')

  // A snapshot and an export keep an unknown body as unknown.
  await using other = await openSandbox()
  await sandbox.control('POST', '/snapshots', { name: 'imported' })
  const file = '/_sandbox/v1/snapshots/imported/file'
  const body = await (await fetch(sandbox.url + file)).arrayBuffer()
  expect((await fetch(other.url + file, { method: 'PUT', body })).ok).toBe(true)
  await other.control('POST', '/snapshots/imported/restore')
  const otherHandle = await connectSandbox(other.url)
  const again = await otherHandle.importHar(await otherHandle.exportHar())
  expect(again.comparisonSkipped).toEqual(expected.comparisonSkipped)

  writeFileSync(join(folder.path, 'odd.har'), har)
  const run = (...args: string[]) => runCli(args, { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } })
  expect(JSON.parse((await run('import', 'odd.har', '--json')).stdout)).toEqual(expected)
  expect((await run('import', 'odd.har')).stdout.split('\n').slice(0, -2)).toEqual([
    '4 calls imported, 1 different from the sandbox. 1 other request ignored.',
    '1 call not compared: There is no complete answer.',
    '1 call not compared: The HAR file does not contain the body of the answer.',
    '1 call not compared: The HAR file does not contain the body of the request.',
    'Left out log.entries[1]: it is null instead of an object.',
    'Left out log.entries[4]: it has no request.',
  ])

  const calibrated = await run('calibrate', '--from', 'odd.har')
  expect(calibrated.stderr).toContain('Left out log.entries[4]: it has no request.')
  expect(calibrated.stdout).toContain('The HAR file does not contain the body of the answer.')
  expect(calibrated.stdout).not.toContain('empty body')
})

test('import reads bodies in files beside the HAR file, and no other file', async ({ sandbox, folder }) => {
  const inside = join(folder.path, 'recording')
  mkdirSync(join(inside, 'bodies'), { recursive: true })
  writeFileSync(join(folder.path, 'secret.txt'), 'secret')
  writeFileSync(join(inside, 'request.json'), '{"amount":5}')
  writeFileSync(join(inside, 'bodies', 'answer.json'), '{"ResponseCode":1,"ResponseMsg":"From a file"}')
  writeFileSync(join(inside, 'large.bin'), Buffer.alloc(3 * MIB, 0xff))
  symlinkSync('../secret.txt', join(inside, 'link.txt'))
  execFileSync('mkfifo', [join(inside, 'pipe')])
  const withAnswer = (file: string) => ({
    ...call,
    request: {
      ...call.request,
      postData: { mimeType: 'application/json', _file: 'request.json' },
      bodySize: 12,
    },
    response: { ...call.response, content: { size: -1, _file: file } },
  })
  const files = [
    'bodies/answer.json',
    'large.bin',
    '../secret.txt',
    join(folder.path, 'secret.txt'),
    'link.txt',
  ]
  const har = harOf(...[...files, 'pipe', 'bodies', 'missing', 'nul\0'].map(withAnswer))
  writeFileSync(join(inside, 'attached.har'), har)

  const { stdout } = await runCli(['import', 'recording/attached.har', '--json'], {
    cwd: folder.path,
    env: { PAYLINK_URL: sandbox.url },
  })
  const unreadable = (index: number, reason: string) => ({
    place: `log.entries[${index}].response.content._file`,
    reason: expect.stringContaining(reason),
  })
  expect(JSON.parse(stdout)).toMatchObject({
    imported: 9,
    comparisonSkipped: {
      'The answer is too large to be compared.': 1,
      'The HAR file does not contain the body of the answer.': 7,
    },
    leftOut: [
      unreadable(2, 'cannot read "../secret.txt": it is not in the folder of the HAR file'),
      unreadable(3, 'it is not in the folder of the HAR file'),
      unreadable(4, 'cannot read "link.txt": it is not in the folder of the HAR file'),
      unreadable(5, 'cannot read "pipe": it is a pipe or a device'),
      unreadable(6, 'cannot read "bodies": it is a folder'),
      unreadable(7, 'cannot read "missing": there is no such file'),
      unreadable(8, 'cannot read "nul\\u0000"'),
    ],
  })
  const [first] = await calls(sandbox)
  const { answer } = await sandbox.control('GET', `/events/${first!.seq}`)
  expect(answer.exchange).toMatchObject({
    request: { body: { content: '{"amount":5}' } },
    response: { body: { content: '{"ResponseCode":1,"ResponseMsg":"From a file"}' } },
  })

  // The control API does not know the folder of the file.
  const handle = await connectSandbox(sandbox.url)
  expect((await handle.importHar(harOf(withAnswer('bodies/answer.json')))).comparisonSkipped).toEqual({
    'The HAR file does not contain the body of the answer.': 1,
  })
})

test('a ZIP archive is refused, and the error says what to do', async ({ sandbox, folder }) => {
  writeFileSync(join(folder.path, 'trace.har.zip'), Buffer.from('PK\x03\x04 and so on'))
  const expected = /is a ZIP archive\. Unpack it into a folder of its own, and name the (\.har )?file in it\./
  expect(
    await runCli(['import', 'trace.har.zip'], { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } }),
  ).toMatchObject({ code: 2, stderr: expect.stringMatching(expected) })
  const response = await fetch(`${sandbox.url}/_sandbox/v1/import.har`, {
    method: 'POST',
    body: 'PK\x03\x04 and so on',
  })
  expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(expected)])
})
