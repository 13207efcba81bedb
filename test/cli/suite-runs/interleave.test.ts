import { parseXml } from '@rgrove/parse-xml'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCli } from '../../support/cli.ts'
import { temporaryFolder } from '../../support/process.ts'
import { test } from '../../support/test.ts'

const node = process.execPath

/**
 * A shop and its test suite: a customer pays an order, and another order is refunded. `RACE` is what the shop gets
 * wrong: `double` checks whether an order is fulfilled before it waits for the shipment, `reopens` pays a refunded order,
 * `forgets` fulfils nothing.
 */
const SUITE = `
  import { createServer } from 'node:http'
  import { once } from 'node:events'
  import { text } from 'node:stream/consumers'
  const { PAYLINK_URL, PAYLINK_API_KEY, RACE } = process.env
  const call = async (path, body) => {
    const headers = { token: PAYLINK_API_KEY, 'content-type': 'application/json' }
    const answer = await fetch(PAYLINK_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.json()
  }
  const order = { status: 'open', fulfilled: 0 }
  const ship = async () => { for (let part = 0; part < 20; part += 1) await fetch(url + '/shipment') }
  const fulfil = async () => {
    if (RACE === 'forgets' || order.status === 'paid' || order.status === 'cancelled') return
    if (RACE !== 'reopens' && order.status === 'refunded') return
    if (RACE === 'double') {
      await ship()
      order.status = 'paid'
    } else {
      order.status = 'paid'
      await ship()
    }
    order.fulfilled += 1
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    // The customer who returns sees a page that looks the payment up, and fulfils the order if the webhook is late.
    if (request.url.startsWith('/thanks') || body.includes('Success')) await fulfil()
    response.end('ok')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = 'http://127.0.0.1:' + server.address().port
  const { data } = await call('/api/v2/createLink', { amount: 5, payment_endpoint: url + '/hook', callback_url: url + '/thanks' })
  const paid = await call('/_sandbox/v1/links/' + data.id + '/pay', {})
  const check = (right, why) => { if (!right) { console.log(why, order); process.exit(3) } }
  check(order.status === 'paid' && order.fulfilled === 1, 'fulfilled once')
  if (process.env.REFUNDS) {
    await call('/api/v2/refundPayment', { pay_id: paid.link.payId, refund_amount: 5, isFullRefund: true })
    order.status = 'refunded'
    await call('/_sandbox/v1/refunds/' + paid.link.payId + '/approve', {})
    check(order.status === 'refunded' && order.fulfilled === 1, 'refunded')
  }
  server.close()
  server.closeAllConnections()
`

async function interleave(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'suite.mjs'), SUITE)
  const run = await runCli(['exec', ...flags, '--', node, 'suite.mjs'], { cwd: folder.path, env })
  return { ...run, folder }
}

const shortestIn = (stdout: string): string[] =>
  [...stdout.matchAll(/^✕ (.*): the command fails/gm)].map(([, name]) => name!)

test('a correct shop passes all 24 orders of four events, and the orders with a refund', async () => {
  using run = await interleave(['--interleave'], { REFUNDS: '1' }).then(({ folder, ...rest }) =>
    Object.assign(folder, rest),
  )
  expect(run.stderr).toContain('Next: 32 orders of notifications.\n')
  expect(run.stdout).toMatch(/^32 passed, in \d+\.\d s\.\n$/)
  expect(run.code).toBe(0)
})

test('a shop that fulfils twice if redirect and webhook come together fails, and the order is shortened', async () => {
  const { folder, ...run } = await interleave(
    ['--interleave', 'redirect,success,both', '--junit', 'races.xml', '--markdown', 'races.md'],
    { RACE: 'double' },
  )
  using _ = folder
  expect(shortestIn(run.stdout)).toEqual(['both'])
  expect(run.stdout).toMatch(/^✕ both: the command fails, and also with \d+ longer orders$/m)
  expect(run.stdout).not.toContain('same cause')
  expect(run.stdout).toContain('fulfilled once { status: ')
  expect(run.stdout).toContain(
    "Setting: --behavior interleave=both, or startSandbox({ behaviors: { interleave: 'both' } })",
  )
  expect(run.stdout).toContain("import { spawnSync } from 'node:child_process'")
  expect(run.stdout).toContain(
    `Repeat: npx paylink-sandbox exec --behavior interleave=both -- ${node} suite.mjs`,
  )
  expect(run.code).toBe(1)
  const { root } = parseXml(readFileSync(join(folder.path, 'races.xml'), 'utf8'))
  expect(Number(root!.attributes.tests)).toBeGreaterThanOrEqual(6)
  expect(readFileSync(join(folder.path, 'races.md'), 'utf8')).toContain('❌ **both**: the command fails')
})

test('a shop that a late webhook makes paid after the refund fails, and the order is shortened', async () => {
  const { folder, ...run } = await interleave(['--interleave', 'success,success,refund,redirect'], {
    RACE: 'reopens',
    REFUNDS: '1',
  })
  using _ = folder
  expect(shortestIn(run.stdout)).toEqual(['success → refund → redirect', 'success → refund → success'])
  expect(run.code).toBe(1)

  const alone = await interleave(['--behavior', 'interleave=success,refund,success'], {
    RACE: 'reopens',
    REFUNDS: '1',
  })
  using _alone = alone.folder
  expect([alone.code, alone.stdout]).toEqual([3, expect.stringContaining('refunded')])
})

test('a command that fails anyway is not repeated, and wrong flags are explained', async () => {
  const { folder, ...failing } = await interleave(['--interleave'], { RACE: 'forgets' })
  using _ = folder
  expect(failing.stderr).toMatch(
    /^Run 1, success: failed with 3 after .*\nThe command also fails with a single/,
  )
  expect([failing.code, failing.stdout]).toEqual([1, ''])

  const wrong: [flags: string[], said: RegExp][] = [
    [['--interleave', 'succes'], /There is no event succes to interleave\. Did you mean success\?/],
    [['--interleave', 'redirect'], /None of these orders contains a payment\. Add success or both\./],
    [['--interleave', '--matrix'], /Pass one of them\./],
    [['--interleave', '--report', 'run.html'], /--interleave has many/],
    [['--junit', 'run.xml'], /--junit requires --matrix or --interleave/],
  ]
  for (const [flags, said] of wrong) {
    const run = await interleave(flags)
    using _folder = run.folder
    expect([flags, run.code, run.stderr]).toEqual([flags, 2, expect.stringMatching(said)])
  }
})
