import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runCli } from '../support/cli.ts'
import { openSandbox } from '../support/sandbox.ts'
import { startShop } from '../support/shop.ts'
import { isFullSize } from '../../scripts/test-sets.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** This is a limit, not a wait: several runs share the machine. */
const LIMIT_MS = 240_000

/** Without these variables of CI, verdicts are written to stdout only. */
const elsewhere = { GITHUB_ACTIONS: undefined, GITHUB_STEP_SUMMARY: undefined }

/** The first cases of a list, or all cases at full size. Each case runs a test suite several times in new processes. */
const some = <Case>(cases: readonly Case[], count = 1): readonly Case[] =>
  isFullSize ? cases : cases.slice(0, count)

/** Runs `check` for a shop that reports the state of its orders: with all cases, or with the given cases and two others. */
async function runCheck(name: string, cases: readonly string[], timeout: string) {
  await using sandbox = await openSandbox()
  await using shop = await startShop(name, sandbox.url, { SHOP_WORK_MS: '100' })
  const asked = {
    '--sandbox': sandbox.url,
    '--order-url': `${shop.url}/orders?item=Tulips`,
    '--state-url': `${shop.url}/orders/by-note/{note}`,
    '--count-pointer': '/fulfilled',
    '--timeout': timeout,
    ...(cases.length > 0 && { '--only': ['form-encoded-brackets', 'json', ...cases].join() }),
  }
  const { code, stdout } = await runCli(
    ['check', `${shop.url}/webhooks/paylink/unknown`, '--json', ...Object.entries(asked).flat()],
    { cwd: root, env: elsewhere },
  )
  const { results } = JSON.parse(stdout) as { results: { name: string; outcome: string }[] }
  const named = (outcome: string) =>
    results.filter((result) => result.outcome === outcome).map((result) => result.name)
  return { code, failed: named('failed'), passed: named('passed') }
}

describe.concurrent('example apps', { timeout: LIMIT_MS }, () => {
  test.for(['shop', 'takes-http-200-for-success'])(
    'finds no problem in how %s handles webhooks',
    async (name) => {
      // A correct shop never waits for the timeout, however busy the machine is.
      expect(await runCheck(name, [], '60s')).toMatchObject({ code: 0, failed: [] })
    },
  )

  test.for([
    ['trusts-the-redirect', 'redirect-alone'],
    ['not-idempotent', 'repeated repeated-at-once resent-later success-after-late-cancel second-payment'],
    ['equates-id-and-pay-id', 'pay-id-is-not-id'],
    ['ignores-the-amount', 'missing-amount forged-amount forged-user'],
    ['paid-on-cancel', 'missing-status unknown-status cancelled'],
    ['fulfils-in-the-request', 'repeated-at-once'],
    ['reads-status-exactly', 'status-lowercase'],
    ['compares-amount-as-text', 'amount-two-decimals'],
    ['lets-a-late-cancel-win', 'cancel-after-success success-after-late-cancel'],
    ['parses-json-only', 'form-encoded-brackets form-literal-brackets form-charset'],
  ] as const)('the flawed shop %s fails only the cases %s', async ([name, failed]) => {
    const cases = failed.split(' ')
    expect(await runCheck(name, cases, '6s')).toMatchObject({ code: 1, failed: cases })
  })

  test.for([
    ['wants-webhook-after-redirect', 'redirect-before-webhook'],
    ['asks-webhooks-to-log-in', ''],
  ] as const)('the flawed shop %s passes no case except %s', async ([name, passes]) => {
    // Almost every case waits for the timeout.
    expect(await runCheck(name, [], '2s')).toMatchObject({
      code: 1,
      passed: passes.split(' ').filter(Boolean),
    })
  })
})

interface Matrix {
  readonly alwaysFails: boolean
  readonly causes: readonly { readonly options: readonly { name: string; value: string }[] }[]
  readonly verdicts: readonly { readonly details?: string }[]
}

/** Runs `exec --matrix` with the test suite of the shops, or with the tests of the suite that match. */
async function runMatrix(shop: string, behaviors: readonly string[], tests = '.') {
  const varied = behaviors.length === 0 ? '--matrix' : `--matrix=${behaviors.join(',')}`
  // This reporter prints the failures again at the end.
  const node = [process.execPath, '--test-reporter=spec', `--test-name-pattern=${tests}`]
  const { code, stdout } = await runCli(
    ['exec', '--quiet', '--json', varied, '--jobs=1', '--', ...node, 'fixtures/shops/suite/contract.test.js'],
    { cwd: root, env: { ...elsewhere, SHOP: shop, SHOP_WORK_MS: '2000' } },
  )
  const { alwaysFails, causes, verdicts } = JSON.parse(stdout) as Matrix
  return {
    code,
    alwaysFails,
    causes: causes.map(({ options }) => options.map(({ name, value }) => `${name}=${value}`).join(' ')),
    said: verdicts.map(({ details = '' }) => details).join('\n'),
  }
}

describe.concurrent("exec --matrix with the shops' suite", { timeout: LIMIT_MS }, () => {
  test(`passes the correct shop with ${isFullSize ? 'every option' : 'two options'}`, async () => {
    const behaviors = isFullSize ? [] : ['payId', 'webhookEncoding']
    expect(await runMatrix('', behaviors)).toMatchObject({ code: 0, causes: [] })
  })

  test.for(
    some([
      ['equates-id-and-pay-id', ['payId=distinct'], 'payId', 'statusText'],
      ['parses-json-only', ['webhookEncoding=form'], 'webhookEncoding', 'payId'],
      ['reads-status-exactly', ['statusText=lowercase'], 'statusText', 'payId'],
      ['compares-amount-as-text', ['amountText=two-decimals'], 'amountText', 'payId'],
      ['paid-on-cancel', ['cancelWebhook=send', 'cancelWebhook=own-endpoint'], 'cancelWebhook', 'payId'],
      ['takes-http-200-for-success', ['errorStatus=ok'], 'errorStatus', 'payId'],
    ] as const),
  )('the matrix finds the flawed shop %s by %s', async ([shop, causes, ...behaviors]) => {
    const verdict = { code: 1, causes }
    expect(await runMatrix(shop, behaviors, 'Tulips|cancelled|refuse')).toMatchObject(verdict)
  })

  // The other tests of the suite resend webhooks themselves, and find these two flaws without any behavior.
  test.runIf(isFullSize).for(['not-idempotent', 'fulfils-in-the-request'])(
    'the matrix finds the flawed shop %s by retries',
    async (shop) => {
      const verdict = { code: 1, causes: ['retries=1s,5s'] }
      expect(await runMatrix(shop, ['retries', 'payId'], 'gave up')).toMatchObject(verdict)
    },
  )

  test.for(
    some([
      ['trusts-the-redirect', 'coming back without having paid pays nothing'],
      ['not-idempotent', 'a webhook that is sent again on demand changes nothing'],
      ['ignores-the-amount', 'a webhook with another amount is not believed'],
      ['fulfils-in-the-request', 'if several webhooks arrive at once, one counts'],
      [
        'wants-webhook-after-redirect',
        'an order is paid although the browser was closed before it came back',
      ],
      ['lets-a-late-cancel-win', 'a cancellation that comes after the payment takes nothing back'],
      ['asks-webhooks-to-log-in', 'an order is paid although the browser was closed before it came back'],
    ] as const),
  )(
    'the matrix names no behavior as the cause of %s, and shows the failed test: %s',
    async ([shop, name]) => {
      expect(await runMatrix(shop, ['payId'], name)).toMatchObject({
        code: 1,
        alwaysFails: true,
        causes: [],
        said: expect.stringContaining(`✖ ${name}`),
      })
    },
  )
})
