import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runCli } from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Long enough for what comes meanwhile, and short for a test. */
const WORK_MS = '1000'

/** Runs the suite of `fixtures/shops/`, and gives the names of the tests that failed. */
async function runSuite(shop: string, ...behaviors: readonly string[]) {
  const flags = behaviors.map((behavior) => `--behavior=${behavior}`)
  const suite = [process.execPath, 'fixtures/shops/suite/contract.test.js']
  const env = { SHOP: shop, SHOP_WORK_MS: WORK_MS }
  const { code, stdout } = await runCli(['exec', '--quiet', ...flags, '--', ...suite], { cwd: root, env })
  return { code, failed: [...stdout.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name]) => name) }
}

const passed = { code: 0, failed: [] }
const failedAt = (...names: readonly string[]) => ({ code: 1, failed: expect.arrayContaining([...names]) })

describe.concurrent("the shops' suite", () => {
  test.for([
    'payId=same',
    'payId=distinct webhookEncoding=json statusText=lowercase amountText=two-decimals',
    'cancelWebhook=skip errorStatus=http retries=1s,5s resendUnpaid=send rateLimit=60/min',
  ])('passes for the good one with %s', async (behaviors) => {
    expect(await runSuite('', ...behaviors.split(' '))).toEqual(passed)
  })

  test.for([
    ['trusts-the-redirect', 'coming back without having paid pays nothing'],
    ['not-idempotent', 'a webhook that is sent again on demand changes nothing'],
    ['ignores-the-amount', 'a webhook with another amount is not believed'],
    ['ignores-the-amount', 'a webhook with another user_id is not believed'],
    ['fulfils-in-the-request', 'of webhooks that come at once, one counts'],
    ['wants-webhook-after-redirect', 'an order is paid although the browser was closed before it came back'],
    ['lets-a-late-cancel-win', 'a cancellation that comes after the payment takes nothing back'],
    ['asks-webhooks-to-log-in', 'Roses are paid, and sent once'],
  ] as const)('finds %s: %s', async ([shop, name]) => {
    expect(await runSuite(shop)).toEqual(failedAt(name))
  })

  test.for([
    ['equates-id-and-pay-id', 'payId=distinct', 'payId=same'],
    ['parses-json-only', 'webhookEncoding=form', 'webhookEncoding=json'],
    ['reads-status-exactly', 'statusText=lowercase', 'statusText=documented'],
    ['compares-amount-as-text', 'amountText=two-decimals', 'amountText=shortest'],
    ['paid-on-cancel', 'cancelWebhook=send', 'cancelWebhook=skip'],
    ['takes-http-200-for-success', 'errorStatus=ok', 'errorStatus=http'],
  ] as const)('finds %s by %s, and not by %s', async ([shop, bringsOut, hides]) => {
    expect(await runSuite(shop, bringsOut)).toMatchObject({ code: 1 })
    expect(await runSuite(shop, hides)).toEqual(passed)
  })
})
