import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cleanEnvironment, temporaryFolder } from '../support/process.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const built = JSON.stringify(join(repository, 'dist/server/vitest.js'))

/** Runs a test file with Vitest as a user does, and returns its output. */
async function runVitest(body: string): Promise<{ code: number | null; said: string }> {
  using folder = temporaryFolder(join(repository, 'node_modules/.cache'))
  const source = `import { expect } from 'vitest'\nimport { test } from ${built}\n${body}`
  writeFileSync(join(folder.path, 'shop.test.ts'), source)
  // A long time limit, so that a busy machine does not fail the test.
  writeFileSync(join(folder.path, 'vitest.config.ts'), 'export default { test: { testTimeout: 180_000 } }')
  const program = join(repository, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, 'run', '--root', folder.path], {
    cwd: folder.path,
    env: { ...cleanEnvironment(), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code: code as number | null, said }
}

test('a failed test prints what its account received, and a passed test prints nothing', async () => {
  const { code, said } = await runVitest(`
    test('an order is paid', async ({ account, receiver }) => {
      receiver.reply(503)
      const { deliveries } = await account.pay(await account.createLink({ amount: 20 }))
      expect(deliveries[0].state).toBe('delivered')
    })
    test('another order is paid', async ({ account, receiver }) => {
      await account.pay(await account.createLink({ amount: 20 }))
      expect(receiver.received).toHaveLength(1)
    })
  `)

  expect(code).toBe(1)
  expect(said).toContain('The newest events of the account shop.test.ts > an order is paid:')
  expect(said).toMatch(/\d+ {2}[\d:.]+ {2}link\.paid /)
  expect(said).toMatch(/delivery\.attempted +✕ 503 /)
  expect(said).toContain('error receiverRefused: The receiver did not answer with 2xx. Seen: 503')
  expect(said).not.toContain('of the account shop.test.ts > another order is paid')
})

test('a failed test without an account says that there is nothing to print', async () => {
  const { code, said } = await runVitest(`
    test('an account is deleted', async ({ account }) => {
      await account.delete()
      expect(1).toBe(2)
    })
  `)

  expect(code).toBe(1)
  expect(said).toContain('The events of the test cannot be read: ')
  expect(said).toContain('expected 1 to be 2')
})
