import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { installedPath } from '../support/installed.ts'
import { cleanEnvironment, temporaryFolder } from '../support/process.ts'
import { readReport } from '../support/report.ts'
import { callsOf } from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly outputs?: Readonly<Record<string, { readonly value: string }>>
  readonly runs: {
    readonly steps: readonly {
      readonly name: string
      readonly if?: string
      readonly run?: string
      readonly env?: Readonly<Record<string, string>>
    }[]
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the shell steps of actions, as far as a machine without the service can. */
function startRunner(folder: string) {
  const files = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY'] as const
  const pathOf = (name: string) => join(folder, name)
  const read = (name: (typeof files)[number]): string =>
    existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : ''
  const pairs = (name: (typeof files)[number]): Record<string, string> =>
    Object.fromEntries(
      read(name)
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    )

  async function uses(path: string, given: Readonly<Record<string, string>>): Promise<string[]> {
    const actionFolder = join(root, path)
    const { inputs, runs } = parse(readFileSync(join(actionFolder, 'action.yml'), 'utf8')) as Action
    const valueOf = (text: string): string =>
      text.replaceAll(
        /\$\{\{ inputs\.([\w-]+) \}\}/g,
        (_all, name: string) => given[name] ?? inputs[name]!.default!,
      )
    const ran: string[] = []
    for (const { name, if: condition, run, env = {} } of runs.steps) {
      // This version of the package may not be published. It is installed already.
      if (run === undefined || name === 'Install the sandbox') continue
      if (condition !== undefined && given.status === 'success') continue
      const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
        env: {
          ...cleanEnvironment(),
          ...pairs('GITHUB_ENV'),
          ...Object.fromEntries(files.map((file) => [file, pathOf(file)])),
          RUNNER_TEMP: folder,
          GITHUB_ACTION_PATH: actionFolder,
          ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, valueOf(value)])),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      shell.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      const [code] = await once(shell, 'close')
      if (code !== 0) throw new Error(`${name} exited with ${code}: ${said}`)
      ran.push(name)
    }
    return ran
  }
  return { uses, read, pairs }
}

test.skipIf(process.platform === 'win32')(
  'the action starts a sandbox, and its end writes a summary, and keeps report and HAR if the job failed',
  async () => {
    using folder = temporaryFolder()
    const home = join(folder.path, 'paylink-sandbox')
    mkdirSync(home)
    symlinkSync(installedPath('node_modules'), join(home, 'node_modules'))
    const runner = startRunner(folder.path)

    expect(await runner.uses('.', { flags: '--behavior payId=distinct --admin-token open-sesame' })).toEqual([
      'Start the sandbox',
    ])
    const { url, key, token } = runner.pairs('GITHUB_OUTPUT')
    expect(runner.pairs('GITHUB_ENV')).toEqual({
      PAYLINK_URL: url,
      PAYLINK_API_KEY: key,
      PAYLINK_RECIPIENT_TOKEN: token,
    })
    await using receiver = await startReceiver((_received, response) => response.writeHead(500).end())
    const { envelope } = await callsOf(url!).call<{ id: number }>(
      'createLink',
      { amount: 20, payment_endpoint: receiver.url },
      { token: key! },
    )
    await fetch(`${url}/_sandbox/v1/links/${envelope.data.id}/pay`, {
      method: 'POST',
      headers: { authorization: 'Bearer open-sesame' },
    })
    expect(receiver.received).toHaveLength(1)

    const finish = { status: 'failure', 'admin-token': 'open-sesame' }
    expect(await runner.uses('finish', finish)).toEqual([
      'Write the summary',
      'Save the report and the HAR file',
      'Stop the sandbox',
    ])
    const summary = runner.read('GITHUB_STEP_SUMMARY')
    expect(summary).toContain('## Payments in the sandbox\n\n1 API calls.\n')
    expect(summary).toMatch(/^- `payId`: /m)
    const { events } = readReport(readFileSync(join(home, 'paylink-report.html'), 'utf8'))
    expect(events.map(({ type }) => type)).toContain('link.created')
    expect(JSON.parse(readFileSync(join(home, 'paylink.har'), 'utf8')).log.entries.length).toBeGreaterThan(0)
    const isRunning = (): Promise<boolean> =>
      fetch(url!).then(
        () => true,
        () => false,
      )
    await expect.poll(isRunning).toBe(false)
  },
)

test.skipIf(process.platform === 'win32')('the action fails with the error of the sandbox', async () => {
  using folder = temporaryFolder()
  const home = join(folder.path, 'paylink-sandbox')
  mkdirSync(home)
  symlinkSync(installedPath('node_modules'), join(home, 'node_modules'))
  const runner = startRunner(folder.path)
  await expect(runner.uses('.', { flags: '--behavior payid=distinct' })).rejects.toThrow(
    /Start the sandbox exited with 1: .*not a behavior/s,
  )
  expect(await runner.uses('finish', { status: 'success' })).toEqual([
    'Write the summary',
    'Stop the sandbox',
  ])
  expect(runner.read('GITHUB_STEP_SUMMARY')).toBe('')
})
