import { describe, expect } from 'vitest'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { startCheckedApp, type Flaw } from '../../support/checked-app.ts'
import { runCli } from '../../support/cli.ts'
import { shop, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

/** Lets the events of payments happen in every sequence, for an app with the given flaw or without one. */
async function interleave({ url }: OpenSandbox, flaw: Flaw | undefined, interleaved: readonly string[]) {
  const sandbox = await connectSandbox(url)
  const { apiKey } = await sandbox.createAccount()
  await using app = await startCheckedApp({ url, apiKey }, flaw)
  const report = await sandbox.check(app.receiver, {
    orderUrl: app.orderUrl,
    stateUrl: app.stateUrl,
    refundUrl: app.refundUrl,
    countPointer: '/fulfilled',
    // An app without mistakes never needs this time, however busy the machine is.
    timeoutMs: flaw === undefined ? 60_000 : 500,
    interleave: interleaved,
  })
  return report
}

describe('example apps', () => {
  test('a correct app passes all 40 sequences of the five default events', async ({ sandbox }) => {
    const { results, failed } = await interleave(sandbox, undefined, ['all'])
    expect(failed).toBe(0)
    expect(new Set(results.map(({ name }) => name)).size).toBe(40)
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 40 }, () => 'passed'))
  })

  test('a correct app passes the sequences of the other events', async ({ sandbox }) => {
    const { results } = await interleave(sandbox, undefined, [
      'duplicate',
      'cancel-redirect',
      'forged-cancel',
      'resend',
    ])
    expect(results.map(({ outcome, seen }) => [outcome, seen])).toEqual(
      Array.from({ length: 12 }, () => ['passed', expect.any(String)]),
    )
    const targets = await interleave(sandbox, undefined, ['targets', 'refund', 'both'])
    expect(targets).toMatchObject({ passed: 4, failed: 0, skipped: 0 })
  })

  test.for<[flaw: Flaw, events: string[], shortest: string[]]>([
    ['trusts the redirect', ['redirect', 'success', 'cancel'], ['redirect']],
    ['counts every webhook', ['redirect', 'success', 'success', 'cancel'], ['success → success']],
    ['lets a cancel win', ['redirect', 'success', 'success', 'cancel'], ['success → cancel']],
    ['stays cancelled', ['redirect', 'success', 'cancel'], ['cancel → success']],
    [
      'opens a refunded order again',
      ['success', 'success', 'refund', 'redirect'],
      ['success → refund → success'],
    ],
    [
      'opens a refunded order again',
      ['success', 'refund', 'resend', 'redirect'],
      ['success → refund → resend'],
    ],
    ['counts every webhook', ['success', 'resend', 'cancel'], ['success → resend']],
    [
      'believes the redirect of a cancel',
      ['success', 'cancel-redirect', 'redirect'],
      ['cancel-redirect → success'],
    ],
    ['believes a forged cancel', ['success', 'forged-cancel', 'redirect'], ['forged-cancel → success']],
    ['ships before it stores', ['duplicate', 'cancel-redirect', 'forged-cancel'], ['duplicate']],
    ['needs its first target first', ['redirect', 'targets'], ['targets']],
  ])(
    'an app that %s fails, and the check shortens the sequence of events',
    async ([flaw, events, shortest], { sandbox }) => {
      const { results } = await interleave(sandbox, flaw, events)
      const failed = results.filter(({ outcome }) => outcome === 'failed')
      expect(failed.filter(({ sameAs }) => sameAs === null).map(({ name }) => name)).toEqual(shortest)
    },
  )
})

test('check --interleave: prints the shortest failing sequence and how to repeat it', async ({
  folder,
  sandbox,
}) => {
  await using app = await startCheckedApp({ url: sandbox.url, apiKey: shop.apiKey }, 'lets a cancel win')
  const flags = ['--order-url', app.orderUrl, '--state-url', app.stateUrl, '--timeout', '500ms', '--details']
  const run = (...args: string[]) =>
    runCli(['check', app.receiver, ...flags, ...args], {
      cwd: folder.path,
      env: { PAYLINK_URL: sandbox.url },
    })

  const all = await run('--interleave', 'redirect,success,cancel')
  expect(all.code).toBe(1)
  expect(all.stderr).toContain(
    '✕ success → cancel\n    Case: One order: 1. the webhook Success arrives, 2. the webhook cancel arrives\n',
  )
  expect(all.stderr).toMatch(
    /Repeat: npx paylink-sandbox check \S+ .*--interleave 'success → cancel' --details\n/,
  )
  expect(all.stderr).toContain('✕ redirect → success → cancel: same cause as success → cancel\n')
  expect(all.stdout).toContain(
    'A paid order does not stay paid.\n  success → cancel: One order: 1. the webhook Success arrives, 2. the webhook cancel arrives.\n',
  )
  expect(all.stderr).toMatch(/^Next: 6 sequences of events\.\n/)
  expect(all.stderr).toContain(
    'Seen: the order was paid, and is no longer paid, its state is "cancelled" (from your state URL ',
  )

  const one = await run('--interleave', 'success → cancel')
  expect([one.code, one.stdout]).toEqual([1, expect.stringMatching(/\n0 passed, 1 failed\./)])

  const wrong: [args: string[], said: RegExp][] = [
    [['--interleave', 'succes'], /^There is no event succes to interleave\. Did you mean success\?/],
    [
      ['--interleave', 'refund → success'],
      /^The sequence refund → success is not possible\. Put a payment, such as success, before/,
    ],
    [['--interleave', 'refund'], /^These events cannot happen in any sequence\./],
    [['--interleave', 'success,cancel', '--only', 'json'], /Pass only cases or only events\.$/],
    [
      ['--interleave', 'success,success,success,cancel,cancel,cancel,redirect,redirect'],
      /more than 120 sequences/,
    ],
  ]
  for (const [args, said] of wrong) {
    const { code, stderr } = await run(...args)
    expect(code).toBe(2)
    expect(stderr.trimEnd()).toMatch(said)
  }
  const blind = await runCli(['check', app.receiver, '--interleave'], { cwd: folder.path })
  expect([blind.code, blind.stderr]).toEqual([2, expect.stringMatching(/^The check must read the orders/)])
})
