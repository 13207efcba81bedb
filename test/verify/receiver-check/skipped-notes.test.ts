import { expect } from 'vitest'
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
        /^your app gives its payment links notes of its own, which is fine: "Number check-\w+" instead of "(😀){20} \w{8}"$/,
      'note-utf8':
        /^your app gives its payment links notes of its own, which is fine: "Number check-\w+" instead of "Zoë – 東京 ☕"$/,
      'note-shared':
        /^your app gives its payment links notes of its own, which is fine: "Number check-\w+" instead of "Roses \w{8}"$/,
      'note-odd':
        /^your app gives its payment links notes of its own, which is fine: "Number check-\w+" instead of "O'Brien \\"\w{8}\\" .*"$/,
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
  [
    'adds the order to its notes',
    {
      linkFields(order, number) {
        const fields = right.linkFields.call(this, order, number)
        return { ...fields, recipient_note: `${order.note} ${order.key}` }
      },
    },
    {
      'note-shared':
        /^the app created two orders with different notes, and the case needs equal notes: "Roses \w{8} check-\w+" and "Roses \w{8} check-\w+"$/,
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
