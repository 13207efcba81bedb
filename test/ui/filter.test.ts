import { expect, test } from 'vitest'
import { createForgedMark } from '../../server/domain/faults/fault.ts'
import type { EventView } from '../../server/contract/views.ts'
import { createEventIndex, type FindingView } from '../../ui/data/event-index.ts'
import { toEntry } from '../../ui/data/log.ts'
import { parseFilter } from '../../ui/search/filter-terms.ts'
import { about, attempted, call, created, paid } from './event.ts'

const entryOf = (event: EventView) => toEntry(event, createEventIndex())

const passes = (filter: string, event: EventView) => parseFilter(filter).readings[0].passes(entryOf(event))

const refused = call({ code: 0, message: 'Please enter amount', payId: null })
const altered = attempted({ replayOf: 1, fault: createForgedMark('body') })
const failed = attempted({ httpStatus: 500, state: 'failed', replayOf: 1 })

test.each<[filter: string, event: EventView, expected: boolean]>([
  ['', call(), true],
  ['kind:api', call(), true],
  ['kind:webhook', call(), false],
  ['KIND:API', call(), true],
  ['-kind:api', call(), false],
  ['status:500', failed, true],
  ['status:>=400', failed, true],
  ['status:>=400', call(), false],
  ['status:>=400', paid, false],
  ['status:5xx', failed, true],
  ['status:2xx', failed, false],
  ['status:<300', call(), true],
  ['status:paid', paid, true],
  ['kind:api -status:', call(), true],
  ['payment:1001', call(), true],
  ['payment:100', call(), false],
  ['path:/hooks', failed, true],
  ['path:/api/v2', call(), true],
  ['-path:/api', call(), false],
  ['is:failed', refused, true],
  ['is:failed', call(), false],
  ['is:failed', attempted({ httpStatus: 500, state: 'pending', nextAttemptAt: about.at }), false],
  ['is:retried', attempted({ httpStatus: 500, state: 'pending', nextAttemptAt: about.at }), true],
  ['is:retried', failed, false],
  ['is:failed,retried', failed, true],
  ['kind:api,webhook', failed, true],
  ['kind:page,webhook', call(), false],
  ['-kind:page,webhook', failed, false],
  ['host:localhost', failed, true],
  ['host:hooks', failed, false],
  ['host:local', call(), false],
  ['is:failed', attempted(), false],
  ['is:replay', failed, true],
  ['is:replay', attempted(), false],
  ['is:forged', altered, true],
  ['is:forged', failed, false],
  ['fault:forged', altered, true],
  ['fault:drop', attempted({ fault: { id: 3, effect: 'drop' } }), true],
  ['fault:3', attempted({ fault: { id: 3, effect: 'drop' } }), true],
  ['fault:reset', attempted({ fault: { id: 3, effect: 'drop' } }), false],
  ['took:>50', attempted(), true],
  ['took:>100', attempted(), false],
  ['took:>0', paid, false],
  ['enter AMOUNT', refused, true],
  ['"enter amount"', refused, true],
  ['"amount enter"', refused, false],
  ['kind:api is:failed', refused, true],
  ['kind:webhook is:failed', refused, false],
  ['http://localhost', failed, true],
  ['status:', call(), true],
  ['-', call(), false],
  ['---', call({ message: '--- here ---', code: 0 }), true],
  ['"', call({ message: '"', code: 0 }), true],
  ['a"b', call({ message: 'a"b', code: 0 }), true],
  ['a"b', call({ message: 'ab', code: 0 }), false],
])('the filter %j finds the right events (%#)', (filter, event, expected) => {
  expect(passes(filter, event)).toBe(expected)
})

test.each([10_000_001, 2_140_000_003, 999_999_999_999_999])(
  'a search of the payment %i takes little memory',
  (payId) => {
    const before = process.memoryUsage().arrayBuffers
    const { passes: finds } = parseFilter(`payment ${payId}`).readings[0]

    expect([payId, payId - 1].map((id) => finds(entryOf(call({ payId: id }))))).toEqual([true, false])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  },
)

test.each<[filter: string, problems: readonly string[]]>([
  ['kind:api is:failed free "quoted:text" http://localhost status:anything', []],
  ['knd:api', ['There is no filter knd:. Did you mean kind?']],
  [
    'colour:red',
    [
      'There is no filter colour:. The filters are time, kind, is, status, event, order, payment, took, amount, account, host, path, body, fault, type.',
    ],
  ],
  ['note:12', ['There is no filter note:. Did you mean order?']],
  ['pay:12', ['There is no filter pay:. Did you mean payment?']],
  ['dur:>100', ['There is no filter dur:. Did you mean took?']],
  ['localhost:3000 constructor:3', []],
  [
    'is:purple',
    [
      'There is no is:purple. The values are failed, retried, held, stored, replay, forged, assumed, fault, different.',
    ],
  ],
  ['is:faild', ['There is no is:faild. Did you mean failed?']],
])('the filter %j explains what it does not understand', (filter, problems) => {
  expect(parseFilter(filter).problems).toEqual(problems)
})

const context = {
  linkOf: () => ({ ...created.link, note: 'Order 30, bouquet for Ana', amount: 64.5 }),
  accountNames: ['Flower Shop'],
  accountNameOf: () => 'Flower Shop',
  findingsOf: () => [],
  hasBody: (seq: number, text: string) => seq === 7 && text === 'in a body',
}

test.each<[filter: string, expected: boolean]>([
  ['bouquet', true],
  ['order 30', true],
  ['€64.50', true],
  ['flower', true],
  ['order:ana', true],
  ['order:"for ana"', true],
  ['order:carl', false],
  ['order:carl,ana', true],
  ['amount:64.5', true],
  ['amount:€64.50', true],
  ['amount:>64', true],
  ['amount:>65', false],
  ['amount:1,64.5', true],
  ['amount:64,50', true],
  ['amount:>=64,51', false],
  ['64,50', true],
  ['64.50', true],
  ['amount:much', false],
  ['account:flower', true],
  ['account:bike', false],
])('the filter %j finds the event of a payment', (filter, expected) => {
  const event = call()
  expect(parseFilter(filter, context).readings[0].passes(entryOf(event))).toBe(expected)
})

test('free text finds the texts of findings', () => {
  const event = call()
  const finding = {
    title: 'The body is a form',
    seen: 'a=b',
    fix: 'Send JSON.',
    code: 'formBody',
  } as FindingView
  const found = { ...context, findingsOf: () => [finding] }
  expect(parseFilter('formbody', found).readings[0].passes(entryOf(event))).toBe(true)
  expect(parseFilter('formbody', context).readings[0].passes(entryOf(event))).toBe(false)
})

test.each<[filter: string, event: EventView, expected: number]>([
  // 0: found as typed. 1: found with the number apart from its word. -1: not found.
  ['order 7', call(), 0],
  ['order 70', call(), -1],
  ['order 200', call(), -1],
  ['order 1001', call(), 1],
  ['payment 1001', call(), 0],
  ['order €100', call(), 0],
  ['order 100.00', call(), 0],
  ['webhook 500', failed, 1],
  ['webhook 1001', failed, 1],
  ['83', attempted(), 0],
  ['83 ms', attempted(), 0],
  ['100', call(), 1],
  ['€100', call(), 0],
  ['€ 100', call(), 0],
  ['€ 7', call(), -1],
  ['7', call(), 0],
])('the filter %j reads every kind of event (%#)', (filter, event, expected) => {
  const { readings } = parseFilter(filter, { ...context, linkOf: () => created.link })
  expect(readings.findIndex(({ passes: matches }) => matches(entryOf(event)))).toBe(expected)
})
