import { expect } from 'vitest'
import { mistakes } from '../../../fixtures/laboratory/mistakes.ts'
import { type Change, Shop, startShop } from '../../../fixtures/laboratory/shop.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { whySkipped } from '../../../server/contract/format/why-skipped.ts'
import { test } from '../../support/test.ts'

const right = Shop.prototype

test.for<[title: string, change: Change, reasons: Record<string, RegExp>]>([
  [
    'changes notes',
    {
      linkFields(order, number) {
        return { ...right.linkFields.call(this, order, number), recipient_note: `Number ${order.key}` }
      },
    },
    {
      'slow-json':
        /^your app gives its payment links notes of its own, which is fine: "Number [\w-]+" instead of "(😀){20} \w{8}"$/,
    },
  ],
  [
    'refuses notes with other signs than letters and digits',
    {
      async placeOrder(c) {
        const { note } = await this.readOrder(c)
        return /[^\w -]/.test(note) ? c.text('Odd note', 422) : right.placeOrder.call(this, c)
      },
    },
    {
      'slow-json':
        /^the app refused an order with an unusual note: "(😀){20} \w{8}": http\S+ answered 422 "Odd note"$/,
    },
  ],
])(
  'the reason for a skipped case quotes the notes if the app %s',
  async ([, change, reasons], { sandbox }) => {
    const { apiKey } = await (await connectSandbox(sandbox.url)).createAccount()
    await using shop = await startShop({ url: sandbox.url, apiKey }, change)
    const { orderUrl, stateUrl, receiver } = shop
    const { results } = await (
      await connectSandbox(sandbox.url)
    ).check(receiver, {
      orderUrl,
      stateUrl,
      orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
      countPointer: '/fulfilled',
      only: Object.keys(reasons),
    })

    const skipped = results.map((result) => [result.name, `${result.outcome}: ${whySkipped(result)}`])
    expect(Object.fromEntries(skipped)).toEqual(
      Object.fromEntries(
        Object.entries(reasons).map(([name, { source }]) => [
          name,
          expect.stringMatching(new RegExp(source.replace(/^\^/, '^skipped: '))),
        ]),
      ),
    )
  },
)

const OWN_NOTES = {
  linkFields(order, number) {
    return { ...right.linkFields.call(this, order, number), recipient_note: `Number ${order.key}` }
  },
} satisfies Change

test('if the app gives its links notes of its own, the cases about the notes of customers run all the same', async ({
  sandbox,
}) => {
  const { apiKey } = await (await connectSandbox(sandbox.url)).createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey }, OWN_NOTES)
  const { orderUrl, stateUrl, receiver } = shop
  const { results } = await (
    await connectSandbox(sandbox.url)
  ).check(receiver, {
    orderUrl,
    stateUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    only: [
      'note-empty',
      'note-utf8',
      'note-reserved',
      'note-four-bytes',
      'note-long',
      'note-shared',
      'note-similar',
      'note-odd',
    ],
  })

  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

test('an order whose note makes the service refuse the call fails the case with the message of the service', async ({
  sandbox,
}) => {
  const { apiKey } = await (await connectSandbox(sandbox.url)).createAccount()
  const { change } = mistakes.find(({ id }) => id === 'comma-in-return-address')!
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)
  const { orderUrl, stateUrl, receiver } = shop
  const report = await (
    await connectSandbox(sandbox.url)
  ).check(receiver, {
    orderUrl,
    stateUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    only: ['note-odd'],
  })

  expect(report.results).toMatchObject([{ outcome: 'failed', problem: 'order-refused' }])
  expect(report.results[0]!.seen).toMatch(
    /^for an order of €42\.50 with the note "Meyer, Anna \w{8}", the service refused the call of createLink: "callback_url entry 1 is neither .*"\. The customer got no payment link: http\S+ answered 502 /,
  )
  expect(report.mistakes).toMatchObject([{ title: 'Orders with some notes get no payment link' }])
})
