import { expect, test } from 'vitest'
import type { Exchange, Headers } from '../../server/domain/http/exchange.ts'
import { compareExchanges } from '../../ui/compare/compare-exchanges.ts'

const form = 'application/x-www-form-urlencoded'

interface Given {
  readonly url?: string
  readonly sent?: string
  readonly sentHeaders?: Headers
  /** `null`: no response. */
  readonly status?: number | null
  readonly answer?: string
  readonly headers?: Headers
  readonly isOmitted?: true
}

/** A webhook and its answer. */
function side(given: Given = {}) {
  const { url = 'http://localhost:3000/hooks', sent = 'pay_id=1001&amount=21', status = 503 } = given
  const body = (content: string) => ({
    encoding: 'utf8' as const,
    content,
    size: content.length,
    ...(given.isOmitted && { isOmitted: given.isOmitted }),
  })
  const exchange: Exchange = {
    request: {
      method: 'POST',
      url,
      headers: [['content-type', form], ...(given.sentHeaders ?? [])],
      body: body(sent),
    },
    response:
      status === null ? null : { status, headers: given.headers ?? [], body: body(given.answer ?? '') },
  }
  return { exchange, result: status === null ? 'no answer' : String(status) }
}

const notSent = { exchange: null, result: 'held' }

test.each([
  [side(), side({ status: 200 }), 'Sent: identical. The answer changed from 503 to 200.'],
  [side(), side(), 'Sent: identical. The answer was 503 both times, without a body.'],
  [
    side({ answer: 'a' }),
    side({ answer: 'a' }),
    'Sent: identical. The answer was 503 both times, with the same body.',
  ],
  [side(), side({ answer: 'a' }), 'Sent: identical. The answer was 503 both times, with different bodies.'],
  [side({ status: null }), side(), 'Sent: identical. First no answer, then 503.'],
  [side({ status: null }), side({ status: null }), 'Sent: identical. The same both times: no answer.'],
  [
    side(),
    side({ sent: 'pay_id=1001&amount=0.01' }),
    'Sent: amount changed from 21 to 0.01. The answer was 503 both times, without a body.',
  ],
  [
    side(),
    side({ sent: 'pay_id=1001' }),
    'Sent: amount was left out. The answer was 503 both times, without a body.',
  ],
  [
    side(),
    side({ sent: 'a=1&b=2&c=3', url: 'http://localhost:3001' }),
    'Sent: the address, pay_id, amount and 3 more differ. The answer was 503 both times, without a body.',
  ],
  // The same fields, encoded in another way.
  [
    side({ sent: 'note=a+b' }),
    side({ sent: 'note=a%20b' }),
    'Sent: the body differs. The answer was 503 both times, without a body.',
  ],
  [
    side(),
    side({ sentHeaders: [['X-Attempt', '2']] }),
    'Sent: the header x-attempt differs. The answer was 503 both times, without a body.',
  ],
  [
    side({ sentHeaders: [['content-length', '21']] }),
    side({ sentHeaders: [['transfer-encoding', 'chunked']] }),
    'Sent: the same body, with another content-length and transfer-encoding. The answer was 503 both times, without a body.',
  ],
  [
    side({ isOmitted: true }),
    side(),
    'Sent: not compared, because a HAR file does not contain the body. The answer was 503 both times.',
  ],
  [notSent, side(), 'Only one of the two was sent. First held, then 503.'],
])('a comparison begins with what was sent and how the answer changed (%#)', (left, right, summary) => {
  expect(compareExchanges(left, right).summary).toBe(summary)
})

test('a comparison lists the status first, then what was sent, and equal parts last', () => {
  const right = side({ status: 200, sent: 'pay_id=1001&amount=1', headers: [['x-id', '2']] })

  const titles = compareExchanges(side({ headers: [['x-id', '1']] }), right).parts.map(({ title }) => title)

  expect(titles).toEqual(['Result', 'Fields sent', 'Headers received', 'Address', 'Response', 'Headers sent'])
})

test('a comparison does not list headers that differ only because of the time or the body', () => {
  const { parts, consequences } = compareExchanges(
    side({
      headers: [
        ['Date', 'Thu, 26 Nov 2026 07:19:19 GMT'],
        ['Content-Length', '4'],
      ],
    }),
    side({
      headers: [
        ['Date', 'Thu, 26 Nov 2026 07:19:20 GMT'],
        ['Transfer-Encoding', 'chunked'],
      ],
    }),
  )

  expect(consequences.different.map(({ name }) => name)).toEqual([
    'date received',
    'content-length received',
    'transfer-encoding received',
  ])
  expect(parts.flatMap(({ comparison }) => comparison?.different ?? [])).toEqual([])
})
