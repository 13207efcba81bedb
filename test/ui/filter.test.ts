import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { describeEvent } from '../../server/format/describe-event.ts'
import { parseFilter } from '../../ui/filter.ts'
import { about, attempted, call, paid } from './event.ts'

const passes = (filter: string, event: EventView) =>
  parseFilter(filter).passes({ event, row: describeEvent(event) })

const refused = call({ code: 0, message: 'Please enter amount', payId: null })
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
  ['pay:1001', call(), true],
  ['pay:100', call(), false],
  ['path:/hooks', failed, true],
  ['path:/api/v2', call(), true],
  ['-path:/api', call(), false],
  ['is:failed', refused, true],
  ['is:failed', call(), false],
  ['is:failed', attempted({ httpStatus: 500, state: 'pending', nextAttemptAt: about.at }), true],
  ['is:failed', attempted(), false],
  ['is:replay', failed, true],
  ['is:replay', attempted(), false],
  ['dur:>50', attempted(), true],
  ['dur:>100', attempted(), false],
  ['dur:>0', paid, false],
  ['enter AMOUNT', refused, true],
  ['"enter amount"', refused, true],
  ['"amount enter"', refused, false],
  ['kind:api is:failed', refused, true],
  ['kind:webhook is:failed', refused, false],
  ['http://localhost', failed, true],
  ['status:', call(), false],
  ['-', call(), false],
])('the filter %j on an event: %#', (filter, event, expected) => {
  expect(passes(filter, event)).toBe(expected)
})

test.each<[filter: string, problems: readonly string[]]>([
  ['kind:api is:failed free "quoted:text" http://localhost status:anything', []],
  ['knd:api', ['There is no filter knd:. Did you mean kind?']],
  ['colour:red', ['There is no filter colour:.']],
  ['is:purple', ['There is no is:purple. The values are failed, held, replay, assumed, fault.']],
  ['is:faild', ['There is no is:faild. Did you mean failed?']],
])('the filter %j explains what it does not understand', (filter, problems) => {
  expect(parseFilter(filter).problems).toEqual(problems)
})
