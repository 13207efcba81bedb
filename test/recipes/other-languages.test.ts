import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'
import { hasProgram } from '../support/programs.ts'
import { installedPath, passing, runInstalled } from '../support/installed.ts'

const hasPhp = hasProgram('php-cli', 'php', '--version')
const hasPhpUnit = hasPhp && hasProgram('phpunit', 'phpunit', '--version')
// The first python3 in the path may not be Debian's.
const hasPytest = hasProgram('python3-pytest', 'python3', '-m', 'pytest', '--version')

test.skipIf(!hasPhpUnit)('the PHP recipe reads forms and JSON', async () => {
  const phpunit = ['phpunit', '--do-not-cache-result', 'tests']
  const run = await runInstalled('recipes/php', ['paylink-sandbox', 'exec', '--quiet', '--', ...phpunit])

  expect(run).toEqual({ code: 0, said: expect.stringContaining('OK (3 tests, 6 assertions)') })
})

test.skipIf(!hasPytest)('the pytest recipe starts a sandbox, and ends it', async () => {
  const run = await runInstalled('recipes/pytest', ['python3', '-m', 'pytest'])

  expect(run).toEqual({ code: 0, said: expect.stringContaining('4 passed') })
})

test.skipIf(!hasPytest)('the pytest recipe uses the sandbox of exec', async () => {
  const pytest = ['python3', '-m', 'pytest', '-k', 'sends_a_webhook']
  const har = ['--har', 'paylink.har']
  const run = await runInstalled('recipes/pytest', ['paylink-sandbox', 'exec', ...har, '--', ...pytest])

  expect(run).toEqual({ code: 0, said: expect.stringContaining('1 passed') })
  expect(readFileSync(installedPath('recipes/pytest/paylink.har'), 'utf8')).toContain('createLink')
})

test('types of openapi-typescript compile, and fit the answers', async () => {
  const commands = 'npm run types && npm test'
  const run = ['paylink-sandbox', 'exec', '--quiet', '--', 'sh', '-c', commands] as const

  expect(await runInstalled('recipes/openapi-typescript', run)).toEqual(passing)
})

/** The bytes of a webhook, and what PHP 8.2 decodes them to. */
const BODY =
  'ResponseCode=1&data%5Bpay_id%5D=1001&data%5Bnote%5D=%C3%9Cberweisung+%26+%22Rosen%22+%5B7%5D&data%5Bamount%5D=10.1' +
  '&data%5Buser_id%5D=00000000-0000-4000-8000-000000000001&data%5Bstatus%5D=Success'
const DECODED = {
  ResponseCode: '1',
  data: {
    pay_id: '1001',
    note: 'Überweisung & "Rosen" [7]',
    amount: '10.1',
    user_id: '00000000-0000-4000-8000-000000000001',
    status: 'Success',
  },
}

test('the sandbox sends nested form fields in the notation of PHP', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.account('Flower Shop')
  const webhooks = await shop.receiver()

  await shop.pay(await shop.createLink({ amount: 10.1, note: DECODED.data.note }))

  const { body, payload } = await webhooks.next()
  expect(body).toBe(BODY)
  expect(payload).toEqual(DECODED)
})

test.skipIf(!hasPhp)('PHP decodes the bytes of the sandbox to nested fields', () => {
  const script = 'parse_str(stream_get_contents(STDIN), $post); echo json_encode($post);'
  const { stdout } = spawnSync('php', ['-r', script], { input: BODY, encoding: 'utf8' })

  expect(JSON.parse(stdout)).toEqual(DECODED)
})
