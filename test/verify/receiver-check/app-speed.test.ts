import { expect } from 'vitest'
import { oddities } from '../../../fixtures/laboratory/oddities.ts'
import { type Change, Shop, startShop } from '../../../fixtures/laboratory/shop.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import type { CheckName } from '../../../server/verify/receiver-check/cases.ts'
import type { CheckRunOptions } from '../../../server/verify/app/run/check-run-options.ts'
import { checkShop } from '../../support/check-shop.ts'
import { openSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const right = Shop.prototype

async function checkNoticing(url: string, change: Change, only: readonly CheckName[]) {
  const notices: string[] = []
  const report = await checkShop(url, change, { only, onNotice: (text) => notices.push(text) })
  return { ...report, notices }
}

test('all orders wait together for a limit that also counts refused orders', async ({ sandbox }) => {
  const recent: number[] = []
  const isRecent = (at: number): boolean => Date.now() - at < 900

  const { failed, delays } = await checkNoticing(
    sandbox.url,
    {
      async placeOrder(c) {
        recent.push(Date.now())
        return recent.filter(isRecent).length > 6
          ? c.html('<h1>One moment</h1>', 429, { 'retry-after': '1' })
          : right.placeOrder.call(this, c)
      },
    },
    ['many-at-once'],
  )

  expect(failed).toBe(0)
  expect(delays).toEqual([
    expect.stringMatching(
      /^Your app answered 429 to \d+ orders, because it limits their number\. The others waited [\d.]+ s of the [\d.]+ s of the check for that\./,
    ),
  ])
})

test('a slow app is named while the check runs, and in its report', async ({ sandbox }) => {
  const { failed, delays, notices } = await checkNoticing(
    sandbox.url,
    oddities.find(({ id }) => id === 'slow')!.change,
    ['repeated', 'resent-later'],
  )

  expect(failed).toBe(0)
  expect(notices).toEqual([
    expect.stringMatching(/^Your app takes about \d\.\d s for each request, so the check takes about /),
  ])
  expect(delays).toEqual([
    expect.stringMatching(/^Your app took \d\.\d s for each request, the median of \d+\./),
  ])
})

test('if the work of an app takes long, the check says beforehand how long it takes', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  const { change } = oddities.find(({ id }) => id === 'looks-before-it-ships')!
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)
  const ended = new AbortController()
  const notices: string[] = []
  const options: CheckRunOptions = {
    orderUrl: shop.orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    stateUrl: shop.stateUrl,
    countPointer: '/fulfilled',
    signal: ended.signal,
    onNotice(text) {
      notices.push(text)
      ended.abort()
    },
  }

  await expect(handle.check(shop.receiver, options)).rejects.toThrow()

  expect(notices).toEqual([
    expect.stringMatching(
      /^Your app takes about \d\.\d s for an order, and \d\.\d s until its payment has arrived, so the check takes about \d+ (seconds|minutes)\. Pass --quick for a shorter check\.$/,
    ),
  ])
})

test('an app that is too slow only for several cases at once passes, and the report says so', async () => {
  await using slow = await openSandbox({ deliveryTimeoutMs: 4_000 })

  const { change } = oddities.find(({ id }) => id === 'one-webhook-at-a-time')!
  const { failed, passed, delays } = await checkNoticing(slow.url, change, [
    'form-encoded-brackets',
    'repeated',
    'success-with-cancel',
    'second-payment-at-once',
    'both-links-paid-at-once',
  ])

  expect([passed, failed]).toEqual([5, 0])
  expect(delays).toContainEqual(
    expect.stringMatching(
      /^Your app did not answer in time in [\w-]+ while other cases ran at the same moment, and it did when this case ran alone\. So the rest ran one after another\.$/,
    ),
  )
})

test('an app that never answers is reported once, although other cases run at the same time', async () => {
  await using impatient = await openSandbox({ deliveryTimeoutMs: 500 })
  let count = 0
  const change: Change = {
    async receive(c) {
      if ((count += 1) > 3) await new Promise(() => {})
      return right.receive.call(this, c)
    },
  }

  const { passed, delays, mistakes } = await checkNoticing(impatient.url, change, [
    'form-encoded-brackets',
    'repeated',
    'cancelled',
    'forged-amount',
  ])

  expect(passed).toBe(1)
  expect(delays.filter((one) => one.includes('one after another'))).toEqual([])
  expect(mistakes[0]!.title).toBe('Your app does not answer in time')
})
