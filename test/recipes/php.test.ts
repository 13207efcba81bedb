import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { passing, runInstalled } from '../support/installed.ts'

const hasPhp = spawnSync('php', ['--version']).status === 0

test.skipIf(!hasPhp)('the PHP recipe understands form and JSON', async () => {
  expect(await runInstalled('recipes/php', ['npm', 'test'])).toEqual(passing)
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

test('nested form fields in PHP are the bytes that the sandbox sends', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.account('Flower Shop')
  const webhooks = await shop.receiver()

  await shop.pay(await shop.createLink({ amount: 10.1, note: DECODED.data.note }))

  const { body, payload } = await webhooks.next()
  expect(body).toBe(BODY)
  expect(payload).toEqual(DECODED)
})

test.skipIf(!hasPhp)('PHP decodes these bytes to nested fields', () => {
  const script = 'parse_str(stream_get_contents(STDIN), $post); echo json_encode($post);'
  const { stdout } = spawnSync('php', ['-r', script], { input: BODY, encoding: 'utf8' })

  expect(JSON.parse(stdout)).toEqual(DECODED)
})
