import { expect, test } from 'vitest'
import { linkSubject, noSubject } from '../../server/domain/links/subject.ts'
import type { RecordedEvent } from '../../server/domain/events/event.ts'
import { encodeBody, textBody, type Exchange } from '../../server/domain/http/exchange.ts'
import { harEntry } from '../../server/domain/har/write-har.ts'

const AT = '2026-07-01T10:00:00.000Z'
const about = linkSubject({ accountId: 'shop', id: 1001, payId: 700001 })

const captured: RecordedEvent = {
  type: 'tunnel.captured',
  ...noSubject,
  seq: 7,
  at: AT,
  tunnel: 'x',
  capturedDeliveryId: null,
  method: 'PUT',
  path: '/tunnel/x?a=1&a=%20',
  status: 200,
  size: 3,
}

const attempted: RecordedEvent = {
  type: 'delivery.attempted',
  ...about,
  seq: 8,
  at: '2026-07-01T10:00:10.000Z',
  startedAt: AT,
  deliveryId: 3,
  target: 'http://localhost:3000/hook',
  reason: 'payment_endpoint of the account',
  status: 'Success',
  cause: 'outcome',
  replayOf: null,
  attempt: 2,
  httpStatus: null,
  error: 'no answer within 10 s',
  ms: 10_000,
  state: 'failed',
  nextAttemptAt: null,
  possibleDuplicate: false,
}

const request: Exchange['request'] = {
  method: 'POST',
  url: 'http://localhost:3000/hook',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  body: textBody('data[pay_id]=1001&data[note]=a+b'),
}

test('an attempt has the time of its request, and a missing answer is written as browsers write it', () => {
  expect(harEntry(attempted, { request, response: null })).toMatchObject({
    pageref: 'link-1001',
    startedDateTime: AT,
    time: 10_000,
    timings: { send: -1, wait: 10_000, receive: -1 },
    response: { status: 0, _error: 'no answer within 10 s', bodySize: -1 },
    comment: 'no answer within 10 s',
    _sandbox: { seq: 8, deliveryId: 3, attempt: 2, reason: 'payment_endpoint of the account' },
  })
})

test('an answer that broke off keeps its status and its error', () => {
  const response = { status: 200, headers: [], body: textBody('') }
  expect(harEntry({ ...attempted, httpStatus: 200 }, { request, response }).response).toMatchObject({
    status: 200,
    _error: 'no answer within 10 s',
  })
})

test('a form in a HAR file has its fields in addition to its text', () => {
  expect(harEntry(attempted, { request, response: null }).request.postData).toEqual({
    mimeType: 'application/x-www-form-urlencoded',
    text: 'data[pay_id]=1001&data[note]=a+b',
    params: [
      { name: 'data[pay_id]', value: '1001' },
      { name: 'data[note]', value: 'a b' },
    ],
  })
})

test('binary bodies are base64, truncated ones are marked, and missing timings are -1', () => {
  const binary = encodeBody(Uint8Array.of(255, 0, 1))
  const exchange: Exchange = {
    request: { method: 'PUT', url: 'http://localhost:4400/tunnel/x?a=1&a=%20', headers: [], body: binary },
    response: {
      status: 302,
      headers: [
        ['location', '/elsewhere'],
        ['content-type', 'text/plain'],
      ],
      body: { ...textBody('abc'), size: 70_000 },
    },
  }
  expect(harEntry(captured, exchange)).toMatchObject({
    time: -1,
    timings: { wait: -1 },
    request: {
      queryString: [
        { name: 'a', value: '1' },
        { name: 'a', value: ' ' },
      ],
      postData: { mimeType: '', text: '/wAB', encoding: 'base64' },
      bodySize: 3,
    },
    response: {
      redirectURL: '/elsewhere',
      content: {
        size: 70_000,
        mimeType: 'text/plain',
        text: 'abc',
        comment: 'Cut: the first 3 of 70000 bytes.',
      },
    },
    _sandbox: { seq: 7, entryPoint: 'tunnel' },
  })
  expect(harEntry(captured, exchange)).not.toHaveProperty('pageref')
})

test('a checkout page is exported with its bytes', () => {
  const shown: RecordedEvent = {
    type: 'checkout.viewed',
    ...about,
    seq: 9,
    at: AT,
    page: 'checkout',
    method: 'POST',
    path: '/payment',
    status: 409,
    ms: 2,
  }
  const response = { status: 409, headers: [], body: textBody('<!doctype html>') }
  expect(harEntry(shown, { request, response })).toMatchObject({
    pageref: 'link-1001',
    time: 2,
    request: { postData: { params: [{ name: 'data[pay_id]' }, {}] } },
    response: { content: { text: '<!doctype html>' } },
    _sandbox: { entryPoint: 'checkout' },
  })
})
