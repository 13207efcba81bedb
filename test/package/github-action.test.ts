import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../support/free-port.ts'
import { cleanEnvironment, isAlive } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { readReport } from '../support/report.ts'
import { callsOf, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

type Values = Readonly<Record<string, string>>

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly outputs: Readonly<Record<string, unknown>>
  readonly runs: { readonly using: string; readonly main: string; readonly post: string }
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

/** A job that runs the steps of the action as the runner of GitHub Actions does. */
function startJob(temp: string) {
  const environmentFile = join(temp, 'env')
  writeFileSync(environmentFile, '')
  let steps = 0

  /** A step with the action. */
  function uses(given: Values, more: Values = {}) {
    const step = (steps += 1)
    const files = {
      GITHUB_OUTPUT: join(temp, `output-${step}`),
      GITHUB_STATE: join(temp, `state-${step}`),
      GITHUB_STEP_SUMMARY: join(temp, `summary-${step}`),
    }
    for (const file of Object.values(files)) writeFileSync(file, '')

    function start(stage: 'main' | 'post', status: string) {
      const contexts: Values = { 'github.job': 'test', 'strategy.job-index': '0', 'job.status': status }
      const inputs = Object.entries(action.inputs).map(([name, { default: text }]) => [
        `INPUT_${name.toUpperCase()}`,
        given[name] ?? text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_all, context: string) => contexts[context]!),
      ])
      const state = Object.entries(pairsIn(files.GITHUB_STATE))
      const child = spawn(process.execPath, [join(root, action.runs[stage])], {
        env: {
          ...cleanEnvironment(),
          ...pairsIn(environmentFile),
          ...more,
          ...files,
          GITHUB_ENV: environmentFile,
          RUNNER_TEMP: temp,
          ...Object.fromEntries(inputs),
          ...Object.fromEntries(state.map(([name, value]) => [`STATE_${name}`, value])),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const said: string[] = []
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
      }
      const closed = once(child, 'close').then(([code]) => ({
        code: code as number | null,
        said: said.join(''),
      }))
      return { child, closed }
    }

    return {
      start: () => start('main', 'success').child,
      main: () => start('main', 'success').closed,
      post: (status: 'success' | 'failure' | 'cancelled') => start('post', status).closed,
      outputs: () => pairsIn(files.GITHUB_OUTPUT),
      summary: () => readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    }
  }
  return {
    uses,
    environment: () => pairsIn(environmentFile),
    /** Ends the processes that a failed test has left running. */
    [Symbol.dispose]() {
      for (const name of readdirSync(temp).filter((one) => one.startsWith('paylink-sandbox'))) {
        const pid = readPid(join(temp, name))
        if (pid > 0 && isAlive(pid)) process.kill(pid)
      }
    },
  }
}

/** The process of the sandbox in this folder, 0 if there is none. */
function readPid(home: string): number {
  const file = join(home, 'pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

const pairsIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )

const isServing = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** The service of GitHub that stores artifacts, as far as `@actions/artifact` 6 uses it. */
async function startArtifactService() {
  const service = await startReceiver(({ path }, response) => {
    const url = `${service.origin}/blob?sig=secret`
    if (path.endsWith('/CreateArtifact')) response.end(JSON.stringify({ ok: true, signed_upload_url: url }))
    else if (path.endsWith('/FinalizeArtifact')) response.end(JSON.stringify({ ok: true, artifact_id: '7' }))
    else response.writeHead(201).end()
  })
  const claims = { scp: 'Actions.GenericRead:x Actions.Results:run-1:job-2' }
  return {
    received: service.received,
    variables: {
      ACTIONS_RESULTS_URL: `${service.origin}/`,
      ACTIONS_RUNTIME_TOKEN: `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`,
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('action: names files that exist, and a Node that GitHub runs', () => {
  const { using, main, post } = action.runs

  expect(using).toBe('node24')
  expect([main, post].filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('action: a job that fails keeps summary, report and HAR file, and its sandbox ends', async ({
  folder,
}) => {
  await using artifacts = await startArtifactService()
  using job = startJob(folder.path)
  const flags = '--behavior payId=distinct --admin-token open-sesame'
  const step = job.uses({ flags }, artifacts.variables)

  expect(await step.main()).toMatchObject({ code: 0 })
  const { url, key, token } = step.outputs()
  expect(Object.keys(action.outputs)).toEqual(Object.keys(step.outputs()))
  expect(job.environment()).toEqual({
    PAYLINK_URL: url,
    PAYLINK_API_KEY: key,
    PAYLINK_USER_ID: shop.id,
    PAYLINK_RECIPIENT_TOKEN: token,
  })
  await callsOf(url!).call('createLink', { amount: 20 }, { token: key! })
  const { code, said } = await step.post('failure')

  expect([code, said]).toEqual([
    0,
    'Uploaded the artifact paylink-test-0.html\nUploaded the artifact paylink-test-0.har\n',
  ])
  expect(step.summary()).toContain('Your app made 1 API call, and used 1 of the 5 operations: createLink.')
  const home = join(folder.path, 'paylink-sandbox')
  const report = readFileSync(join(home, 'paylink-test-0.html'), 'utf8')
  expect(readReport(report).events.map(({ type }) => type)).toContain('link.created')
  const har = readFileSync(join(home, 'paylink-test-0.har'), 'utf8')
  expect(JSON.parse(har).log.entries).toHaveLength(1)
  const service = '/twirp/github.actions.results.api.v1.ArtifactService'
  const upload = [
    `${service}/CreateArtifact`,
    '/blob?sig=secret&comp=block&blockid=MA%3D%3D',
    '/blob?sig=secret&comp=blocklist',
    `${service}/FinalizeArtifact`,
  ]
  expect(artifacts.received.map(({ path }) => path)).toEqual([...upload, ...upload])
  expect([artifacts.received[1]!.body, artifacts.received[5]!.body]).toEqual([report, har])
  expect(JSON.parse(artifacts.received[7]!.body)).toEqual({
    workflow_run_backend_id: 'run-1',
    workflow_job_run_backend_id: 'job-2',
    name: 'paylink-test-0.har',
    size: String(Buffer.byteLength(har)),
    hash: `sha256:${createHash('sha256').update(har).digest('hex')}`,
  })
  expect(await isServing(url!)).toBe(false)
})

test('action: a job that passes keeps only the summary', async ({ folder }) => {
  await using artifacts = await startArtifactService()
  using job = startJob(folder.path)
  const step = job.uses({}, artifacts.variables)

  await step.main()
  const ended = await step.post('success')

  expect(ended).toEqual({ code: 0, said: '' })
  expect(step.summary()).toContain('## Payments in the sandbox')
  expect(artifacts.received).toEqual([])
  expect(readdirSync(join(folder.path, 'paylink-sandbox')).toSorted()).toEqual([
    'pid',
    'ready.jsonl',
    'sandbox.log',
  ])
  expect(await isServing(step.outputs().url!)).toBe(false)
})

test('action: files that cannot be uploaded stay in the folder, and the job keeps its result', async ({
  folder,
}) => {
  const variables = {
    ACTIONS_RESULTS_URL: `http://127.0.0.1:${await freePort()}/`,
    ACTIONS_RUNTIME_TOKEN: '',
  }
  using job = startJob(folder.path)
  const step = job.uses({}, variables)

  await step.main()
  const { code, said } = await step.post('cancelled')

  expect(code).toBe(0)
  expect(said.match(/^::warning title=paylink-sandbox::.*$/gm)).toHaveLength(2)
  expect(existsSync(join(folder.path, 'paylink-sandbox', 'paylink-test-0.html'))).toBe(true)
})

test('action: two sandboxes of one job have their own files, and both end', async ({ folder }) => {
  using job = startJob(folder.path)
  const steps = [job.uses({}), job.uses({})]
  for (const step of steps) await step.main()

  for (const step of steps.toReversed()) expect((await step.post('failure')).code).toBe(0)

  expect(job.environment().PAYLINK_URL).toBe(steps[1]!.outputs().url)
  for (const [home, name] of [
    ['paylink-sandbox', 'paylink-test-0.html'],
    ['paylink-sandbox-2', 'paylink-test-0-2.html'],
  ] as const) {
    expect(existsSync(join(folder.path, home, name))).toBe(true)
  }
  const serving = await Promise.all(steps.map((step) => isServing(step.outputs().url!)))
  expect(serving).toEqual([false, false])
})

test('action: the last step stops a sandbox whose start was interrupted', async ({ folder }) => {
  using job = startJob(folder.path)
  const step = job.uses({})
  const home = join(folder.path, 'paylink-sandbox')

  const main = step.start()
  await expect.poll(() => readPid(home)).toBeGreaterThan(0)
  main.kill('SIGKILL')
  await once(main, 'close')
  const ended = await step.post('cancelled')

  expect(ended.code).toBe(0)
  expect(isAlive(readPid(home))).toBe(false)
})

test.for<[what: string, inputs: Values, message: RegExp]>([
  [
    'an unknown flag',
    { flags: '--behaviour payId=same' },
    /Unknown flag --behaviour\. Did you mean --behavior/,
  ],
  ['an unknown behavior', { flags: '--behavior payid=same' }, /not a behavior/],
  ['a port that is not a number', { port: 'http' }, /--port is http\./],
  [
    'a version that does not exist',
    { version: 'file:missing.tgz' },
    /paylink-sandbox file:missing\.tgz could not be/,
  ],
])(
  'action: %s fails with the reason, and the last step saves nothing',
  async ([, inputs, message], { folder }) => {
    using job = startJob(folder.path)
    const step = job.uses(inputs)

    const main = await step.main()
    const post = await step.post('failure')

    expect(main.code).toBe(1)
    expect(/^::error title=paylink-sandbox::(.*)$/m.exec(main.said)?.[1]).toMatch(message)
    expect(post).toEqual({ code: 0, said: 'The sandbox did not start, so there is nothing to save.\n' })
    expect(step.summary()).toBe('')
  },
)

test('action: a taken port fails with the reason', async ({ folder }) => {
  await using other = await startReceiver()

  using job = startJob(folder.path)

  const { code, said } = await job.uses({ port: String(other.port) }).main()

  expect(code).toBe(1)
  expect(said).toMatch(new RegExp(`^::error title=paylink-sandbox::.*Port ${other.port} is taken\\.`, 'm'))
})

test('action: installs the version that it is asked for', async ({ folder }) => {
  // npm installs a folder as a link, so nothing is compiled.
  const version = `file:${root}`
  using job = startJob(folder.path)
  const step = job.uses({ version })

  const main = await step.main()
  const url = step.outputs().url!
  const wasServing = await isServing(url)
  const post = await step.post('success')

  expect([main.code, wasServing, post.code, await isServing(url)]).toEqual([0, true, 0, false])
  expect(existsSync(join(folder.path, 'paylink-sandbox', 'node_modules', 'paylink-sandbox'))).toBe(true)
})
