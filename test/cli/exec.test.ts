import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { courier, shop } from '../support/sandbox.ts'
import { runCli } from '../support/cli.ts'
import { isAlive, startBuiltCli } from '../support/process.ts'
import { readReport } from '../support/report.ts'
import { test } from '../support/test.ts'

const node = process.execPath

/** The arguments that make exec run this JavaScript. */
const script = (text: string): string[] => ['--', node, '--input-type=module', '-e', text]

test("exec: gives the command its own sandbox, and exits with the command's code", async ({ folder }) => {
  const { code, stdout, stderr } = await runCli(
    [
      'exec',
      ...script(`
        const { PAYLINK_URL, PAYLINK_API_KEY, PAYLINK_RECIPIENT_TOKEN, PAYLINK_ADMIN_TOKEN } = process.env
        const answer = await fetch(PAYLINK_URL + '/api/v2/createSplitLink', {
          method: 'POST',
          headers: { token: PAYLINK_API_KEY, 'content-type': 'application/json' },
          body: JSON.stringify({ amount: 5, recipients: [{ token: PAYLINK_RECIPIENT_TOKEN, share: 30 }] }),
        })
        const { ResponseCode } = await answer.json()
        console.log(JSON.stringify({ ResponseCode, PAYLINK_API_KEY, PAYLINK_RECIPIENT_TOKEN, PAYLINK_ADMIN_TOKEN }))
        process.exit(7)
      `),
    ],
    { cwd: folder.path, env: { PAYLINK_API_KEY: 'ofSomeOtherSandbox' } },
  )

  expect(code).toBe(7)
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    {
      ResponseCode: 1,
      PAYLINK_API_KEY: shop.apiKey,
      PAYLINK_RECIPIENT_TOKEN: courier.recipientToken,
    },
  ])
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^Sandbox listening on http:\/\/127\.0\.0\.1:\d+$/),
    'Your app made 1 API call, and used 1 of the 5 operations: createSplitLink.',
    'Your app got none of the 20 documented errors.',
    'Of the 17 possible outcomes, such as a payment by card or a failed webhook, none happened.',
    'The run relies on 6 points that the API reference leaves open. The real service may differ there, so ask the provider.',
    '  payId: A payment has a pay_id (linktopay_id). Does it equal the id of the link?',
    expect.stringMatching(/^ {2}\w+: .*\?$/),
    expect.stringMatching(/^ {2}\w+: .*\?$/),
    '  and 3 more',
    'Run npx paylink-sandbox and open http://127.0.0.1:4400/docs/guides/undocumented-behavior to read what the sandbox assumes at each point.',
    'To list everything that the run used and did not use, add --verbose.',
  ])
  expect(existsSync(join(folder.path, '.paylink'))).toBe(false)
})

test('exec --verbose: lists every operation, error, outcome and open point', async ({ folder }) => {
  const { stderr } = await runCli(
    [
      'exec',
      '--verbose',
      '--',
      'node',
      '--eval',
      'fetch(process.env.PAYLINK_URL + "/api/v2/createLink", { method: "POST" })',
    ],
    { cwd: folder.path },
  )
  expect(stderr).toContain('How often the app called each operation:\n')
  expect(stderr).toContain('\n     1  createLink\n')
  expect(stderr).toContain('\n     1  createLink: Incorrect token or missing token\n')
  expect(stderr).toContain('\nHow often the app met each possible outcome:\n     0  ')
  expect(stderr).toMatch(
    /ask the provider\.\n(?: {5}1 {2}\w+: .*\n)* {5}1 {2}missingToken: There are two messages/,
  )
})

test('exec lists at its end the webhooks that have not reached the app, with the reason and what to do', async ({
  folder,
}) => {
  const { stderr } = await runCli(
    [
      'exec',
      ...script(`
        const { PAYLINK_URL, PAYLINK_API_KEY } = process.env
        await fetch(PAYLINK_URL + '/api/v2/createLink', {
          method: 'POST',
          headers: { token: PAYLINK_API_KEY, 'content-type': 'application/json' },
          body: JSON.stringify({ amount: 5, payment_endpoint: 'http://127.0.0.1:9/hooks' }),
        })
        await fetch(PAYLINK_URL + '/_sandbox/v1/links/1001/pay', { method: 'POST' })
      `),
    ],
    { cwd: folder.path },
  )
  expect(stderr.trim().split('\n').at(-1)).toBe(
    'The paid payment has not reached your app. Nothing listens on 127.0.0.1:9. Start your app on 127.0.0.1:9, then replay the webhook.',
  )
})

test('exec: accepts the flags of start, and passes the admin token to the command', async ({ folder }) => {
  const { code, stdout, stderr } = await runCli(
    [
      'exec',
      '--behavior=payId=distinct',
      '--admin-token=open-sesame',
      '--quiet',
      ...script(`
        const { PAYLINK_URL, PAYLINK_ADMIN_TOKEN } = process.env
        const headers = { authorization: 'Bearer ' + PAYLINK_ADMIN_TOKEN }
        const answer = await fetch(PAYLINK_URL + '/_sandbox/v1/info', { headers })
        console.log((await answer.json()).behaviors.payId)
      `),
    ],
    { cwd: folder.path },
  )
  expect([code, stdout, stderr]).toEqual([0, 'distinct\n', ''])
})

test.for<[env: Record<string, string>, expected: string]>([
  [{ HTTP_PROXY: 'http://127.0.0.1:1' }, '127.0.0.1 127.0.0.1'],
  [{ https_proxy: 'http://127.0.0.1:1', NO_PROXY: 'a.test' }, 'a.test,127.0.0.1 a.test,127.0.0.1'],
  [{ ALL_PROXY: 'http://127.0.0.1:1', no_proxy: 'a.test' }, 'a.test,127.0.0.1 a.test,127.0.0.1'],
  [
    { http_proxy: 'http://127.0.0.1:1', NO_PROXY: 'a.test', no_proxy: 'b.test' },
    'a.test,127.0.0.1 b.test,127.0.0.1',
  ],
  [{ HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '*' }, '* *'],
  [{ NO_PROXY: 'a.test' }, 'a.test undefined'],
])(
  'exec: the command does not use the proxy from its environment variables to reach the sandbox: %j',
  async (row, { folder }) => {
    const [env, expected] = row
    const text = 'console.log(process.env.NO_PROXY, process.env.no_proxy)'
    const { stdout } = await runCli(['exec', '--quiet', ...script(text)], { cwd: folder.path, env })
    expect(stdout.trim()).toBe(expected)
  },
)

test('exec: ignores the default port and database', async ({ folder }) => {
  const settings = { cwd: folder.path, env: { PAYLINK_PORT: '1', PAYLINK_DB: 'mine.db' } }
  writeFileSync(join(folder.path, 'paylink.config.json'), '{"port":1,"db":"mine.db"}')

  expect((await runCli(['exec', '--', node, '--version'], settings)).code).toBe(0)
  expect(existsSync(join(folder.path, 'mine.db'))).toBe(false)

  expect((await runCli(['exec', '--db', 'mine.db', '--', node, '--version'], settings)).code).toBe(0)
  expect(existsSync(join(folder.path, 'mine.db'))).toBe(true)
})

test('exec: passes stdin to the command', async ({ folder }) => {
  await using run = startBuiltCli(['exec', '--quiet', '--', 'cat'], { cwd: folder.path })
  run.child.stdin.end('Order 7\n')
  expect([await run.closed, run.lines, run.errors]).toEqual([0, ['Order 7'], []])
})

/** The JSON lines on stderr. */
const records = (stderr: string): readonly Record<string, unknown>[] =>
  stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('exec --json: writes only JSON lines to stderr', async ({ folder }) => {
  const { stdout, stderr } = await runCli(
    [
      'exec',
      '--json',
      '--fail-on=error',
      ...script(`console.log(process.env.PAYLINK_URL)\n${CALLS}\nawait call('createLnk', { amount: 5 })`),
    ],
    { cwd: folder.path },
  )
  expect(records(stderr)).toMatchObject([
    { type: 'ready', url: stdout.trim() },
    { type: 'diagnostic.found', code: 'wrongOperation' },
    { type: 'run', openPoints: expect.arrayContaining([expect.objectContaining({ name: 'errorStatus' })]) },
    { type: 'findings', failOn: 'error', found: [{ code: 'wrongOperation', count: 1 }] },
  ])
})

test('exec: explains how to find the sandbox if the command never calls it', async ({ folder }) => {
  const { code, stderr } = await runCli(['exec', '--', node, '--version'], { cwd: folder.path })
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(
      'Your app made no API call. The variable PAYLINK_URL has the address of the sandbox.',
    ),
  ])
})

const CALLS = `
  const { PAYLINK_URL, PAYLINK_API_KEY } = process.env
  const post = (path, body) =>
    fetch(PAYLINK_URL + path, {
      method: 'POST',
      headers: { token: PAYLINK_API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const call = (operation, body) => post('/api/v2/' + operation, body)
`

/** Causes findings: a number in a string is an error, and a pay_id that equals the id is a hint. */
const WITH_FINDINGS = `${CALLS}
  await call('createLink', { amount: 5 })
  for (const amount of ['5', '6', '7']) await call('createLink', { amount })
  await post('/_sandbox/v1/links/1001/pay', {})
`

test.for<[failOn: string, exit: string, code: number, found: string[]]>([
  ['error', '', 1, ['numberAsText']],
  ['warning', '', 1, ['numberAsText']],
  ['hint', 'process.exit(7)', 7, ['numberAsText']],
])(
  'exec --fail-on %s: with "%s" from the command, exits with %i',
  async ([failOn, exit, code, found], { folder }) => {
    const run = await runCli(['exec', '--quiet', '--fail-on', failOn, ...script(WITH_FINDINGS + exit)], {
      cwd: folder.path,
    })
    expect([run.code, run.stdout]).toEqual([code, ''])
    const [head, ...lines] = run.stderr.trim().split('\n')
    expect(head).toBe(`--fail-on ${failOn}: 1 finding.`)
    expect(lines.slice(0, -1).map((line) => line.split(':')[0]!.split(' ')[1])).toEqual(found)
    expect(lines[0]).toMatch(
      /^error numberAsText: A number was sent as text\. Found 3 times, last in a call of createLink \(event \d+\): amount: "7"\. Send /,
    )
    expect(lines.at(-1)).toBe('To keep the events, pass --report <file>.')
  },
)

test('exec lists the errors that it found at its end', async ({ folder }) => {
  const run = await runCli(['exec', ...script(WITH_FINDINGS)], { cwd: folder.path })
  expect(run.code).toBe(0)
  expect(run.stderr).toContain(
    'Findings of severity error: numberAsText. To fail the run because of such findings, pass --fail-on error.',
  )
})

test('exec --fail-on: lists no findings below its level', async ({ folder }) => {
  const text = `${CALLS} await call('createLink', { amount: 5, payment_endpoint: '' })`
  const calm = await runCli(['exec', '--quiet', '--fail-on=error', ...script(text)], { cwd: folder.path })
  expect([calm.code, calm.stderr]).toEqual([0, ''])
})

test('exec --fail-on: names the receiver, and suggests --report only if it was not passed', async ({
  folder,
}) => {
  const text = `${CALLS}
    import { createServer } from 'node:http'
    import { once } from 'node:events'
    const server = createServer((_request, response) => response.writeHead(302, { location: '/' }).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = 'http://127.0.0.1:' + server.address().port + '/hook'
    await call('createLink', { amount: 5, payment_endpoint: url })
    await post('/_sandbox/v1/links/1001/pay', {})
    process.exit(0)
  `
  const run = await runCli(['exec', '--quiet', '--fail-on=warning', '--report=run.html', ...script(text)], {
    cwd: folder.path,
  })
  expect(run.stderr).toMatch(/Found in a webhook to http:\/\/127\.0\.0\.1:\d+\/hook \(event \d+\): /)
  expect(run.stderr).not.toContain('--report <file>')
  expect(run.stderr).not.toContain('Report written')
})

test('exec --report: says where the report is, because its folders are created', async ({ folder }) => {
  const { code, stderr } = await runCli(
    ['exec', '--report=some/folder/run.html', '--har=run.har', '--', node, '--version'],
    { cwd: folder.path },
  )
  expect([code, ...stderr.trim().split('\n').slice(-2)]).toEqual([
    0,
    'Report written to some/folder/run.html',
    'HAR file written to run.har',
  ])
})

test('exec --fail-on: counts findings from before a reset, and ignores a receiver that ends with the tests', async ({
  folder,
}) => {
  const text = `${CALLS}
    import { createServer } from 'node:http'
    import { once } from 'node:events'
    const held = createServer(() => {})
    await once(held.listen(0, '127.0.0.1'), 'listening')
    await call('createLnk', {})
    await post('/_sandbox/v1/reset', {})
    await call('createLink', { amount: 5, payment_endpoint: 'http://127.0.0.1:' + held.address().port })
    await post('/_sandbox/v1/links/1001/pay', { wait: 'accepted' })
    await once(held, 'request')
    process.exit(0)
  `
  const { code, stderr } = await runCli(['exec', '--quiet', '--fail-on=error', ...script(text)], {
    cwd: folder.path,
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('error wrongOperation')])
  expect(stderr).not.toContain('receiverGone')
})

test('exec: continues if stdout and stderr are closed', async ({ folder }) => {
  await using run = startBuiltCli(['exec', '--report=gone/run.html', ...script(READS_STDIN)], {
    cwd: folder.path,
  })
  run.child.stdout.destroy()
  run.child.stderr.destroy()
  run.child.stdin.end('Order 7\n')
  expect(await run.closed).toBe(1)
  expect(readFileSync(join(folder.path, 'read.txt'), 'utf8')).toBe('Order 7\n')
})

/** Reads stdin into a file, and removes the folder of the report, so that exec cannot write the report. */
const READS_STDIN = `
  import { readFileSync, rmSync, writeFileSync } from 'node:fs'
  writeFileSync('read.txt', readFileSync(0))
  rmSync('gone', { recursive: true })
`

test.skipIf(process.platform === 'win32').for<[what: string, code: number, line: string]>([
  ['no-such-command', 127, 'no-such-command was not run: there is no such command.'],
  ['./not-executable', 126, './not-executable was not run: it is not executable.'],
])('exec: reports %s with exit code %i in one line', async ([command, code, line], { folder }) => {
  writeFileSync(join(folder.path, 'not-executable'), '#!/bin/sh\n')
  const run = await runCli(['exec', '--quiet', '--', command], { cwd: folder.path })
  expect([run.code, run.stdout, run.stderr.trim().split('\n')]).toEqual([
    code,
    '',
    [expect.stringContaining(line)],
  ])
})

test.for<[args: string[], message: string]>([
  [
    ['exec'],
    'exec requires a command after --. Write npx paylink-sandbox exec [flags] -- <command> [argument]….',
  ],
  [['exec', '--'], 'exec requires a command after --.'],
  [['exec', 'npm', 'test'], 'exec does not take npm. Write npx paylink-sandbox exec [flags] -- <command>'],
  [['exec', '--prot', '1', '--', 'true'], 'Unknown flag --prot. Did you mean --port?'],
  [['exec', '--port', 'x', '--', 'true'], '--port is x. It must be a number from 0 to 65535.'],
  [['exec', '--fail-on', 'wrning', '--', 'true'], '--fail-on is wrning. Did you mean warning?'],
  [['exec', '--report', 'taken/report.html', '--', 'true'], '--report taken/report.html cannot be written: '],
  [
    ['exec', '--report', 'r.html', '--har', './r.html', '--', 'true'],
    '--report r.html and --har ./r.html are the same file.',
  ],
  [['exec', '--report', '', '--', 'true'], '--report is empty.'],
])('exec: rejects %j before anything runs', async ([args, message], { folder }) => {
  writeFileSync(join(folder.path, 'taken'), 'a file, where a folder would have to be')
  const { code, stdout, stderr } = await runCli(args, { cwd: folder.path })
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [expect.stringContaining(message)]])
})

/** Prints its process id and the id of a child, and on SIGTERM the number of SIGINTs that it got. */
const COUNTS_SIGNALS = `
  import { spawn } from 'node:child_process'
  let interrupts = 0
  setInterval(() => {}, 1000)
  process.on('SIGINT', () => console.log('interrupted', ++interrupts))
  process.on('SIGTERM', () => { console.log('terminated', interrupts); process.exit(5) })
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  console.log('ready', process.pid, other.pid, process.env.PAYLINK_URL)
`

/** A script like the one above that ignores every signal except SIGKILL. */
const IGNORES_SIGNALS = `
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => console.log('heard', signal))
  setInterval(() => {}, 1000)
  console.log('ready', process.pid, process.pid, process.env.PAYLINK_URL)
`

async function startScript(folder: { readonly path: string }, text: string, ...flags: readonly string[]) {
  const run = startBuiltCli(['exec', ...flags, ...script(text)], { cwd: folder.path })
  await run.until(() => run.lines.length > 0)
  const [, pid, other, url] = run.lines[0]!.split(' ')
  return Object.assign(run, { pids: [Number(pid), Number(other)], url: url! })
}

const isGone = (url: string): Promise<boolean> =>
  fetch(`${url}/_sandbox/health`).then(
    () => false,
    () => true,
  )

test.skipIf(process.platform === 'win32')(
  'exec: in a script, passes Ctrl-C to the command only once',
  async ({ folder }) => {
    await using run = await startScript(folder, COUNTS_SIGNALS)

    process.kill(-run.child.pid!, 'SIGINT')
    await run.until(() => run.lines.includes('interrupted 1'))
    run.child.kill('SIGTERM')

    expect(await run.closed).toBe(5)
    expect(run.lines.slice(1)).toEqual(['interrupted 1', 'terminated 1'])
    expect(await isGone(run.url)).toBe(true)
  },
)

test.skipIf(process.platform === 'win32')(
  'exec: on SIGTERM, ends the command and everything that it started',
  async ({ folder }) => {
    await using run = await startScript(folder, COUNTS_SIGNALS)

    run.child.kill('SIGTERM')

    expect(await run.closed).toBe(5)
    await expect.poll(() => run.pids.filter(isAlive)).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')(
  'exec: exits with 128 plus the number of the signal that ended the command',
  async ({ folder }) => {
    await using run = await startScript(folder, COUNTS_SIGNALS)

    process.kill(run.pids[0]!, 'SIGKILL')

    expect(await run.closed).toBe(137)
    expect(await isGone(run.url)).toBe(true)
    await expect.poll(() => run.pids.filter(isAlive)).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')(
  'exec: kills a command that ignores signals at the third one',
  async ({ folder }) => {
    await using run = await startScript(folder, IGNORES_SIGNALS, '--report', 'report.html')

    run.child.kill('SIGTERM')
    await run.until(() => run.lines.includes('heard SIGTERM'))
    run.child.kill('SIGHUP')
    await run.until(() => run.lines.includes('heard SIGHUP'))
    run.child.kill('SIGTERM')

    expect(await run.closed).toBe(137)
    expect(run.errors.at(-2)).toMatch(/ still runs after 2 signals, so it is killed\.$/)
    expect(run.pids.filter(isAlive)).toEqual([])
    expect(readFileSync(join(folder.path, 'report.html'), 'utf8')).toContain('</html>')
  },
)

test.skipIf(process.platform === 'win32')(
  'exec: kills processes left behind that ignore SIGTERM',
  async ({ folder }) => {
    const left = 'trap "" TERM; sleep 47 </dev/null >/dev/null 2>&1 & echo $!'
    const { code, stdout } = await runCli(['exec', '--quiet', '--', 'sh', '-c', left], { cwd: folder.path })
    expect([code, Number(stdout)]).toEqual([0, expect.any(Number)])
    await expect.poll(() => isAlive(Number(stdout))).toBe(false)
  },
)

test.skipIf(process.platform === 'win32')(
  'exec: leaves no process behind if it is killed itself',
  async ({ folder }) => {
    await using run = await startScript(folder, COUNTS_SIGNALS)

    run.child.kill('SIGKILL')

    await expect.poll(() => run.pids.filter(isAlive)).toEqual([])
  },
)

test('exec --report and --har: save the run up to its last webhook, even if it failed', async ({
  folder,
}) => {
  const { code } = await runCli(
    [
      'exec',
      '--report=kept/run.html',
      '--har=kept/run.har',
      ...script(`
        const { PAYLINK_URL, PAYLINK_API_KEY } = process.env
        const post = (path, body) =>
          fetch(PAYLINK_URL + path, {
            method: 'POST',
            headers: { token: PAYLINK_API_KEY, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        await post('/api/v2/createLink', { amount: 5 })
        await post('/_sandbox/v1/links/1001/pay', { wait: 'accepted' })
        process.exit(3)
      `),
    ],
    { cwd: folder.path },
  )
  expect(code).toBe(3)
  const kept = (name: string) => readFileSync(join(folder.path, 'kept', name), 'utf8')
  expect(readReport(kept('run.html')).head.about).toBe(
    `The command ${basename(node)} ended with exit code 3.`,
  )
  const { log } = JSON.parse(kept('run.har')) as { log: { entries: { request: { url: string } }[] } }
  expect(log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual(
    expect.arrayContaining(['/api/v2/createLink', '/tunnel/flower-shop']),
  )
})

test('exec --report: fails a successful run if the report cannot be written', async ({ folder }) => {
  const { code, stderr } = await runCli(
    [
      'exec',
      '--quiet',
      '--report=kept/run.html',
      ...script(`import { rmSync } from 'node:fs'; rmSync('kept', { recursive: true })`),
    ],
    { cwd: folder.path },
  )
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('--report kept/run.html could not be saved: ENOENT'),
  ])
})
