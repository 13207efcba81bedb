import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { countKeptBytes, type Exchange } from '../../../server/domain/http/exchange.ts'
import { MAX_BODY_BYTES } from '../../../server/domain/http/limits.ts'
import { createHttpService } from '../../../server/verify/calibration/http-service.ts'
import { startPaymentServer } from '../../../server/verify/calibration/payment-server.ts'

function* endlessText(): Generator<string> {
  for (;;) yield 'x'.repeat(64 * 1024)
}

test('an answer that does not end is read up to a limit, and counts as cut off', async () => {
  const server = createServer((_request, response) => void Readable.from(endlessText()).pipe(response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const service = createHttpService({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'key',
    recipient: undefined,
    timeoutMs: 30_000,
  })

  const result = await service.send({ method: 'POST', path: '/', headers: [], body: '' })
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed

  const { body } = 'answer' in result ? result.answer : { body: undefined }
  expect(countKeptBytes(body!)).toBe(MAX_BODY_BYTES)
  expect(body!.size).toBeGreaterThan(MAX_BODY_BYTES)
})

test('a webhook that is too large is answered, and counts as cut off', async () => {
  const received: Exchange['request'][] = []
  await using server = await startPaymentServer(0, async (request) => {
    received.push(request)
    return [200, 'ok']
  })

  const url = `http://127.0.0.1:${server.port}/webhook`
  const response = await fetch(url, { method: 'POST', body: 'x'.repeat(16 * MAX_BODY_BYTES) })

  expect([response.status, await response.text()]).toEqual([200, 'ok\n'])
  expect(received.map(({ body }) => countKeptBytes(body))).toEqual([MAX_BODY_BYTES])
  expect(received[0]!.body.size).toBeGreaterThan(MAX_BODY_BYTES)
})
