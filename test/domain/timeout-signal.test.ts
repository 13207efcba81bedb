import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { timeoutSignal } from '../../server/domain/time/timeout-signal.ts'
import { requestApp } from '../../server/verify/app/orders/request-app.ts'
import { collectGarbage } from '../support/collect-garbage.ts'

/** Starts a server that never answers, and collects garbage as long as the test runs. */
async function startSilentServer(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  const timer = setInterval(collectGarbage, 10)
  onTestFinished(() => {
    clearInterval(timer)
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a request ends when its time is over, although garbage was collected', async () => {
  const url = await startSilentServer()
  const { signal } = new AbortController()
  await expect(requestApp(url, undefined, { signal }, { timeoutMs: 200 })).rejects.toThrow(
    'did not answer within 0.2 s',
  )
  await expect(fetch(url, { signal: timeoutSignal(200) })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a request ends when its signal aborts', async () => {
  const url = await startSilentServer()
  const controller = new AbortController()
  const answer = fetch(url, { signal: timeoutSignal(60_000, controller.signal) })
  controller.abort(new Error('stopped'))
  await expect(answer).rejects.toThrow('stopped')
})
