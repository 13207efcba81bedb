import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestFiles, TestOptions } from '../../server/client/failure-tests.ts'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import type { CheckRunOptions } from '../../server/verify/app/run/check-run-options.ts'
import type { TestFile } from '../../server/verify/failure-tests/failure-test.ts'
import { startCaller } from '../support/caller.ts'
import { startCheckedApp } from '../support/checked-app.ts'
import { installedPath, passing, runInstalled } from '../support/installed.ts'
import { openSandbox, shop } from '../support/sandbox.ts'

const isWindows = process.platform === 'win32'

/** Writes the files into an empty folder beside the installed package. Returns a function that runs them. */
function saveTests(folder: string, files: readonly TestFile[]) {
  mkdirSync(installedPath(folder), { recursive: true })
  for (const { name, text } of files) writeFileSync(join(installedPath(folder), name), text)
  return async (env: NodeJS.ProcessEnv = {}) => {
    const results: Record<string, { code: number | null; said: string }> = {}
    // The tests run one after another, because each starts a sandbox at the same address.
    for (const { name } of files) {
      results[name] = await runInstalled(
        folder,
        name.endsWith('.sh') ? ['sh', name] : ['vitest', 'run', name],
        env,
      )
    }
    return results
  }
}

/** Runs a check and returns the test of its only failed case. */
async function testOf(check: (options: { onTest: (files: TestFiles) => void }) => Promise<unknown>) {
  const found: TestFiles[] = []
  await check({ onTest: (files) => found.push(files) })
  expect(found).toHaveLength(1)
  return Object.values(found[0]!)
}

const failing = { code: 1, said: expect.any(String) as string }

test.skipIf(isWindows)(
  'the test of a failed caller check fails with the flawed app, and passes with the correct one',
  async () => {
    const sandbox = await openSandbox()
    const handle = await connectSandbox(sandbox.url)
    const service = { url: sandbox.url, apiKey: shop.apiKey }
    const flawed = await startCaller('trusts-the-redirect', service)
    const files = await testOf(({ onTest }) => {
      const options = {
        stateUrl: flawed.stateUrl,
        paidText: 'Your order is paid',
        only: ['return-forged'],
        onTest,
      }
      return handle.checkCaller(flawed.orderUrl, options)
    })
    await sandbox.close()

    const run = saveTests('failed-caller', files)
    const seen = expect.stringContaining('and has not paid')
    expect(await run()).toEqual({
      'return-forged.test.ts': { code: 1, said: seen },
      'return-forged.sh': { code: 1, said: seen },
    })
    await flawed[Symbol.asyncDispose]()
    await using _ = await startCaller('caller', service, flawed.port)
    expect(await run()).toEqual({
      'return-forged.test.ts': passing,
      'return-forged.sh': { code: 0, said: expect.stringContaining('✓ return-forged') },
    })
  },
)

test.skipIf(isWindows)(
  'the test of a failing sequence of events fails with the flawed app, and passes with the correct one',
  async () => {
    const sandbox = await openSandbox()
    const handle = await connectSandbox(sandbox.url)
    const service = { url: sandbox.url, apiKey: shop.apiKey }
    const flawed = await startCheckedApp(service, 'lets a cancel win')
    const { receiver, orderUrl, stateUrl } = flawed
    const files = await testOf(({ onTest }) => {
      const options: CheckRunOptions & TestOptions = {
        orderUrl,
        stateUrl,
        interleave: ['redirect', 'success', 'cancel'],
        timeoutMs: 2_000,
        onTest,
      }
      return handle.check(receiver, options)
    })
    await sandbox.close()

    const run = saveTests('failed-order', files)
    expect(await run()).toEqual({ 'success-cancel.test.ts': failing, 'success-cancel.sh': failing })
    await flawed[Symbol.asyncDispose]()
    await using _ = await startCheckedApp(service, undefined, flawed.port)
    expect(await run()).toEqual({
      'success-cancel.test.ts': passing,
      'success-cancel.sh': { code: 0, said: expect.stringContaining('✓ success → cancel') },
    })
  },
)

test.skipIf(isWindows)(
  'the test of a payment fails with the flawed app, and passes with the correct one',
  async () => {
    const sandbox = await openSandbox()
    const handle = await connectSandbox(sandbox.url)
    const account = await handle.account(shop.id)
    const service = { url: sandbox.url, apiKey: shop.apiKey }
    const flawed = await startCheckedApp(service, 'redirects')
    await flawed.makeOrder()
    const [link] = await account.links({ limit: 1 })
    await account.faults.add({ on: 'webhook', script: ['duplicate'] })
    await account.decline(link!)
    await account.pay(link!)
    const files = await Promise.all(
      (['vitest', 'shell'] as const).map(async (as): Promise<TestFile> => {
        const response = await fetch(`${sandbox.url}/_sandbox/v1/tests/links/${link!.id}?as=${as}`)
        const [, name = ''] = /filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
        return { name, text: await response.text() }
      }),
    )
    await sandbox.close()

    const run = saveTests('failed-payment', files)
    const [vitest, shell] = files.map(({ name }) => name) as [string, string]
    const order = { ORDER_URL: flawed.orderUrl }
    expect(await run(order)).toEqual({
      [vitest]: failing,
      [shell]: { code: 1, said: expect.stringContaining('2 webhooks were not delivered') },
    })
    await flawed[Symbol.asyncDispose]()
    await using _ = await startCheckedApp(service, undefined, flawed.port)
    expect(await run(order)).toEqual({
      [vitest]: passing,
      [shell]: { code: 0, said: expect.stringContaining('passed') },
    })
  },
)
