import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCli } from '../../support/cli.ts'
import { isAlive, startBuiltCli, temporaryFolder } from '../../support/process.ts'
import { sized } from '../../support/size.ts'
import { test } from '../../support/test.ts'

const node = process.execPath

/** A shop's test suite: it pays a link and reads the webhook. Each test appends its checks. */
const SUITE = `
  import { createServer } from 'node:http'
  import { once } from 'node:events'
  const { PAYLINK_URL, PAYLINK_API_KEY } = process.env
  const post = async (path, body) => {
    const headers = { token: PAYLINK_API_KEY, 'content-type': 'application/json' }
    const answer = await fetch(PAYLINK_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.json()
  }
  let text = ''
  const server = createServer(async (request, response) => {
    for await (const chunk of request) text += chunk
    response.end('ok')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = 'http://127.0.0.1:' + server.address().port
  const { data } = await post('/api/v2/createLink', { amount: 5, payment_endpoint: url })
  await post('/_sandbox/v1/links/' + data.id + '/pay', {})
  server.close()
  const isJson = text.startsWith('{')
  const read = isJson ? JSON.parse(text).data : Object.fromEntries(new URLSearchParams(text))
  const payId = Number(read.pay_id ?? read['data[pay_id]'])
  const status = read.status ?? read['data[status]']
  const check = (right, why) => { if (!right) { console.log(why); process.exit(3) } }
`

interface Json {
  readonly passed: boolean
  readonly alwaysFails: boolean
  readonly flaky: object | null
  readonly causes: readonly {
    options: { name: string; value: string }[]
    isInForce: boolean
    repeat: string
  }[]
  readonly verdicts: readonly { name: string; outcome: string; message?: string; details?: string }[]
  readonly runs: readonly { passed: boolean; timedOut: boolean; behaviors: object }[]
}

async function matrix(text: string, flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'suite.mjs'), text)
  const run = await runCli(['exec', ...flags, '--', node, 'suite.mjs'], { cwd: folder.path, env })
  const kept = existsSync(join(folder.path, 'kept')) ? readFileSync(join(folder.path, 'kept'), 'utf8') : ''
  return { ...run, kept }
}

async function checked(text: string, flags: readonly string[]): Promise<Json & { code: number | null }> {
  const { code, stdout } = await matrix(text, ['--json', ...flags])
  return { ...(JSON.parse(stdout) as Json), code }
}

const causesIn = ({ causes }: Json): string[] =>
  causes.map(({ options }) => options.map(({ name, value }) => `${name}=${value}`).join(' '))

const outcomesIn = ({ verdicts }: Json): Record<string, string> =>
  Object.fromEntries(verdicts.map(({ name, outcome }) => [name, outcome]))

test('exec --matrix: passes a robust suite, and skips options that make no difference to the suite', async () => {
  const result = await checked(SUITE, ['--matrix=payId,webhookEncoding,cancelWebhook'])
  expect(result).toMatchObject({ code: 0, passed: true, causes: [], flaky: null, alwaysFails: false })
  expect(outcomesIn(result)).toEqual({
    'nothing varied': 'passed',
    'payId=distinct': 'passed',
    'webhookEncoding=json': 'passed',
    'cancelWebhook=own-endpoint': 'skipped',
    'cancelWebhook=skip': 'skipped',
  })
})

test('exec --matrix: names the behavior that breaks a suite, what to do and how to repeat it', async ({
  folder,
}) => {
  const text = `${SUITE} check(payId === data.id, 'the order is not ' + payId)`
  const { code, stdout, stderr } = await matrix(text, ['--matrix', 'payId,webhookEncoding', '--jobs', '2'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✓ nothing varied +passes$/m)
  expect(stdout).toMatch(/^✕ payId=distinct +It breaks the suite\.$/m)
  expect(stdout).toMatch(/^✓ webhookEncoding=json +passes$/m)
  expect(stdout).toContain('The reference leaves payId open: A payment has a pay_id')
  expect(stdout).toContain('What to do: Store the pay_id of the webhook or the redirect')
  expect(stdout).toContain('    the order is not 700001')
  expect(stdout).toMatch(/Repeat: npx paylink-sandbox exec --behavior payId=distinct -- \S+ suite\.mjs/)
  expect(stdout).toContain('What breaks the suite: payId=distinct. 4 runs, ')
  expect(stderr).toMatch(/^Run 1, nothing varied: passed after /m)
  expect(stderr).toMatch(/^Run \d, payId=distinct: failed with 3 after /m)

  writeFileSync(join(folder.path, 'suite.mjs'), text)
  const again = await runCli(['exec', '--quiet', '--behavior', 'payId=distinct', '--', node, 'suite.mjs'], {
    cwd: folder.path,
  })
  expect([again.code, again.stdout]).toEqual([3, 'the order is not 700001\n'])
})

test('exec --matrix: finds a suite that breaks with the default, a form body', async () => {
  const result = await checked(`${SUITE} check(isJson, 'no JSON')`, ['--matrix=webhookEncoding,payId'])
  expect([causesIn(result), result.causes[0]?.isInForce]).toEqual([['webhookEncoding=form'], true])
  expect(outcomesIn(result)).toMatchObject({
    'nothing varied': 'failed',
    'webhookEncoding=json': 'passed',
    'webhookEncoding=form': 'failed',
  })
})

test('exec --pairs: names two options that break the suite only together', async () => {
  const text = `${SUITE} check(!isJson || status === 'Success', 'lower case in JSON')`
  const result = await checked(text, ['--matrix=payId', '--pairs=webhookEncoding,statusText'])
  expect(outcomesIn(result)).toEqual({
    'nothing varied': 'passed',
    'payId=distinct': 'passed',
    'statusText=lowercase': 'passed',
    'webhookEncoding=json': 'passed',
    'webhookEncoding=json statusText=lowercase': 'failed',
  })
  expect(causesIn(result)).toEqual(['webhookEncoding=json statusText=lowercase'])
  expect(result.causes[0]!.repeat).toContain(
    'exec --behavior webhookEncoding=json --behavior statusText=lowercase -- ',
  )
})

test('exec --matrix: tries several lists of one behavior', async () => {
  const text = `${SUITE} check(!text.includes('cancel'), 'a cancel came')`
  const result = await checked(text, ['--matrix=order=redirect,cancel,success,order=success,redirect,payId'])
  expect(outcomesIn(result)).toEqual({
    'nothing varied': 'passed',
    'payId=distinct': 'passed',
    'order=redirect,cancel,success': 'failed',
    'order=success,redirect': 'passed',
  })
})

test('exec --matrix: sets the behaviors of --behavior in every run', async () => {
  const text = `${SUITE} check(payId === data.id + 699000, 'pay_id is ' + payId)`
  const { stdout, code } = await matrix(text, [
    `--matrix${sized({ full: '', small: '=webhookEncoding,retries,amountText' })}`,
    '--json',
    '--behavior',
    'payId=distinct',
  ])
  const result = JSON.parse(stdout) as Json
  expect(code).toBe(0)
  expect(Object.keys(outcomesIn(result))).toEqual(
    expect.arrayContaining(['webhookEncoding=json', 'retries=1s,5s', 'amountText=two-decimals']),
  )
  expect(Object.keys(outcomesIn(result)).filter((name) => /^(payId|rateLimit|https)=/.test(name))).toEqual([])
})

test('exec --matrix: reports a suite that always fails, with the end of its output', async () => {
  const { code, stdout } = await matrix(`${SUITE} check(false, 'broken')`, ['--matrix=payId'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('The suite fails with every option.')])
  expect(stdout).toContain('    broken')
  expect(stdout).toMatch(/^○ payId=distinct +Not checked: the suite also fails without it\.$/m)
})

test('exec --matrix: reports a suite that fails and then passes as flaky', async () => {
  const text = `${SUITE}
    import { appendFileSync, readFileSync } from 'node:fs'
    appendFileSync('kept', '.')
    check(readFileSync('kept', 'utf8').length !== 2, 'the second run fails')
  `
  const result = await checked(text, ['--matrix=payId', '--jobs=1'])
  expect(result).toMatchObject({ code: 1, flaky: { payId: 'distinct' }, causes: [] })
  expect(result.verdicts.find(({ name }) => name === 'deterministic')!.message).toContain(
    'with payId=distinct it failed, and passed when it was repeated',
  )
})

test('exec --matrix: has no verdict on a command that never calls its sandbox', async () => {
  const { code, stdout, stderr } = await matrix('', ['--matrix'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('The command never called the API of its sandbox')
})

test('exec --matrix: ends a run at its --timeout, and reports it', async () => {
  const text = `${SUITE} if (payId !== data.id) await new Promise(() => setInterval(() => {}, 1000))`
  const result = await checked(text, ['--matrix=payId', '--timeout=4s'])
  expect(causesIn(result)).toEqual(['payId=distinct'])
  expect(result.verdicts.at(-1)!.details).toMatch(
    /^It had not ended within 4 s \(--timeout\), and was ended\.$/m,
  )
  expect(result.runs.map(({ timedOut }) => timedOut)).toEqual([false, true, true])
})

test('exec --matrix: stops after the first run if the suite does not end', async () => {
  const { code, stdout, stderr, kept } = await matrix(
    `${SUITE} await new Promise(() => setInterval(() => {}, 1000))`,
    ['--matrix', '--timeout=10s', '--markdown=kept'],
  )
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Run 1, nothing varied: had not ended within 10 s \(--timeout\)$/m)
  expect(stderr).toContain('The command does not end, so each further run could take as long.')
  expect(kept).toContain('The command does not end')
})

test('exec --matrix: recognizes runs that fail because they share a port', async () => {
  const text = `${SUITE}
    if (payId !== data.id) { console.error('Error: listen EADDRINUSE: address already in use'); process.exit(1) }
  `
  const { code, stderr } = await matrix(text, ['--matrix=payId,statusText', '--jobs=2'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('Add --jobs 1.')])
})

test('exec --matrix: combines --fail-on with a report of the verdicts', async () => {
  const { code, stdout, kept } = await matrix(`${SUITE} await post('/api/v2/createLnk', {})`, [
    '--matrix=payId',
    '--fail-on=error',
    '--junit=kept',
  ])
  expect([code, stdout]).toEqual([1, expect.stringContaining('It ended with 0, and --fail-on found:')])
  expect(kept).toContain('<testcase')
  expect(kept).toContain('payId=distinct')
})

test('exec --matrix: writes the verdicts to the summary in GitHub Actions', async () => {
  const { kept } = await matrix(SUITE, ['--matrix=payId'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: 'kept',
  })
  expect(kept).toContain('payId=distinct')
})

test.each<[flags: string[], message: string]>([
  [['--matrix=payid'], 'payid is not a behavior. Did you mean payId?'],
  [['--matrix=payId=other'], '--matrix payId is other. It must be same or distinct.'],
  [['--matrix=retries=1s,2s,payId,x'], 'x is not a behavior.'],
  [['--matrix=payId=same,oder'], 'oder is not a behavior. Did you mean order?'],
  [['--matrix=retries=1s,x'], '--matrix retries is 1s,x. It must be none or'],
  [['--matrix', '--jobs', '0'], '--jobs is 0. It must be a whole number from 1 to 64.'],
  [['--matrix', '--timeout', '5h'], '--timeout is 5h. It must be a time up to 600m'],
  [['--matrix', '--report', 'r.html'], '--report saves one run, but --matrix has many.'],
  [['--matrix', '--db', 'x.db'], '--db x.db would keep data from one run to the next.'],
  [['--matrix', '--port', '4400', '--jobs', '2'], '--port 4400 is one port'],
  [['--matrix', '--json', '--junit', '-'], '--json and a report cannot both use stdout.'],
  [['--pairs=payId'], '--pairs payId names one behavior. Name two or more'],
  [['--pairs=payId,payId=distinct'], 'names one behavior.'],
  [
    ['--pairs=payId,all'],
    'all is not a behavior. --pairs must be behaviors like payId,webhookEncoding=json.',
  ],
  [['--pairs=payId,order', '--har', 'r.har'], '--har saves one run, but --pairs has many.'],
  [['--jobs', '2'], '--jobs requires --matrix or --pairs.'],
  [['--junit', 'x.xml'], '--junit requires --matrix or --pairs.'],
])('exec --matrix: rejects %j before anything runs', async (flags, message) => {
  const { code, stdout, stderr } = await matrix('process.exit(9)', flags)
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
})

test.each<[flag: string, message: string]>([
  ['--matrix=payId=same', 'payId=same is already in force, so there is nothing to vary.'],
  ['--pairs=payId=same,statusText', '\npayId=same is already in force, so there is nothing to combine.'],
  [
    '--pairs=payId=same,order=together',
    '\npayId=same, order=together are already in force, so there is nothing to combine.',
  ],
  [
    '--matrix=payId --pairs=payId=same,statusText',
    '\npayId=same is already in force, so there is nothing to combine.',
  ],
])('exec --matrix: rejects %s, which is already set', async (flags, message) => {
  const { code, stderr } = await matrix(SUITE, flags.split(' '))
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test.skipIf(process.platform === 'win32').for<[signal: NodeJS.Signals, code: number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])(
  'exec --matrix: on %s, ends every run and everything that it started',
  async ([signal, code], { folder }) => {
    const text = `${SUITE}
    import { spawn } from 'node:child_process'
    import { appendFileSync } from 'node:fs'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    appendFileSync('pids', process.pid + ' ' + child.pid + '\\n')
    console.error('started')
    if (payId !== data.id || status !== 'Success') setInterval(() => {}, 1000)
    else { child.kill(); process.exit(0) }
  `
    writeFileSync(join(folder.path, 'suite.mjs'), text)
    const run = startBuiltCli(
      ['exec', '--matrix=payId,statusText', '--jobs=2', '--junit=kept.xml', '--', node, 'suite.mjs'],
      {
        cwd: folder.path,
      },
    )
    await using _ = run
    const pids = () => readFileSync(join(folder.path, 'pids'), 'utf8').trim().split(/\s+/).map(Number)
    await expect.poll(() => existsSync(join(folder.path, 'pids')) && pids().length).toBe(6)

    run.child.kill(signal)

    expect(await run.closed).toBe(code)
    await expect.poll(() => pids().filter(isAlive)).toEqual([])
    expect(run.errors.at(-1)).toBe('Interrupted: 1 of 3 tried.')
    expect(readFileSync(join(folder.path, 'kept.xml'), 'utf8')).toContain('Not checked: interrupted.')
  },
)
