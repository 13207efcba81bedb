import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { connectSandbox } from '../../server/package/index.ts'
import { installedPath } from '../support/installed.ts'
import { openSandbox, shop } from '../support/sandbox.ts'
import { freePort } from '../support/free-port.ts'
import { cleanEnvironment } from '../support/process.ts'
import { readReport } from '../support/report.ts'

const RECIPE = 'recipes/github-actions'

interface Workflow {
  readonly jobs: {
    readonly test: {
      readonly env: Readonly<Record<string, string | number>>
      readonly steps: readonly { readonly name?: string; readonly uses?: string; readonly run?: string }[]
    }
  }
}

test.skipIf(process.platform === 'win32')(
  'the workflow starts a sandbox, runs the tests against it, and keeps a report',
  async () => {
    const workflow = readFileSync(installedPath(RECIPE, '.github/workflows/test.yml'), 'utf8')
    const { env, steps } = (parse(workflow) as Workflow).jobs.test
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    expect(env).toEqual({ PAYLINK_PORT: 4400, PAYLINK_URL: 'http://127.0.0.1:4400' })
    const summary = installedPath(RECIPE, 'summary.md')
    const own = { PAYLINK_PORT: String(port), PAYLINK_URL: url, GITHUB_STEP_SUMMARY: summary }
    await using machine = startMachine(own)

    const ran: string[] = []
    for (const { name = '', run } of steps) {
      // This version of the package may not be published, and its dependencies are already installed.
      if (run === undefined || name === 'Install') continue
      expect(await machine.run(run)).toMatchObject({ code: 0 })
      ran.push(name)
    }

    expect(ran).toEqual(['Start the sandbox', 'Test', 'Keep what the sandbox saw'])
    const { events } = readReport(readFileSync(installedPath(RECIPE, 'paylink-report.html'), 'utf8'))
    expect(events.map(({ type }) => type)).toContain('link.paid')
    expect(existsSync(installedPath(RECIPE, 'paylink-sandbox.log'))).toBe(true)
    expect(readFileSync(summary, 'utf8')).toMatch(/^## Payments in the sandbox\n/)

    // A run deletes the files of the previous run.
    expect(await machine.run('npm test')).toMatchObject({ code: 0 })
    const sandbox = await connectSandbox(url)
    expect(
      (await sandbox.accounts()).filter(({ name }) => name.endsWith('a payment reaches the shop')),
    ).toHaveLength(1)
  },
)

test.skipIf(process.platform === 'win32')(
  'the nightly workflow fails once the service has changed',
  async () => {
    const text = readFileSync(installedPath(RECIPE, '.github/workflows/calibrate.yml'), 'utf8')
    const { env, steps } = (
      parse(text) as { readonly jobs: { readonly calibrate: Workflow['jobs']['test'] } }
    ).jobs.calibrate
    expect(Object.keys(env)).toEqual(['PAYLINK_TARGET', 'PAYLINK_DEV_KEY', 'PAYLINK_RATE'])
    const compare = steps.find(({ name }) => name === 'Compare with the service')!.run!
    await using service = await openSandbox()
    await using machine = startMachine({
      PAYLINK_TARGET: service.url,
      PAYLINK_DEV_KEY: shop.apiKey,
      PAYLINK_RATE: '1000/s',
    })

    const create = 'npx paylink-sandbox calibrate --target "$PAYLINK_TARGET" --key-env PAYLINK_DEV_KEY --yes'
    expect(await machine.run(`${create} --rate 1000/s`)).toMatchObject({ code: 0 })
    expect(await machine.run(compare)).toMatchObject({ code: 0 })
    await service.control('PATCH', '/behaviors', { numericStrings: 'accept' })
    expect(await machine.run(compare)).toMatchObject({
      code: 1,
      said: expect.stringContaining('✕ numericStrings: It was refuse. Now it is accept.'),
    })
    for (const file of ['calibration.xml', 'calibration.har']) {
      expect(readFileSync(installedPath(RECIPE, file), 'utf8')).not.toContain(shop.apiKey)
    }
  },
)

/** Runs steps like a CI runner, each in its own shell. Processes that are left running end with the test. */
function startMachine(env: NodeJS.ProcessEnv) {
  const groups: number[] = []
  return {
    async run(script: string) {
      const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        cwd: installedPath(RECIPE),
        env: { ...cleanEnvironment(), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      groups.push(shell.pid!)
      let said = ''
      shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      shell.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      const [code] = await once(shell, 'close')
      return { code: code as number | null, said }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const group of groups) {
        try {
          process.kill(-group)
        } catch {
          // The group has already ended.
        }
      }
    },
  }
}
