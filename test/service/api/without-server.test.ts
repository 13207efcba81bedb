import { expect, test } from 'vitest'
import { api } from '../../../server/service/api/index.ts'
import { builtInSeed } from '../../../server/runtime/config/built-in-seed.evaluated.ts'
import { withStableIdentities } from '../../../server/service/operations/accounts/draft-account.ts'
import { initializeIfNew } from '../../../server/service/operations/state/reset.ts'
import * as events from '../../../server/store/journal/events.ts'
import { openStore } from '../../support/open-store.ts'

test('the API answers app.request() of Hono, and records the call', async () => {
  const problems: unknown[] = []
  const { store, close } = await openStore({ onError: (error) => problems.push(error) })
  const seed = withStableIdentities(builtInSeed)
  const egressRules = { maps: [], allowedHosts: [] }
  await store.transact((work) => initializeIfNew(work, { seed, behaviors: {}, egressRules }))
  const app = api(
    store,
    () => 'http://sandbox.example',
    (error) => problems.push(error),
    undefined,
  )
  const { Request, Response } = globalThis

  const body = JSON.stringify({ amount: 12.5, recipient_note: 'Order 7' })
  const headers = {
    token: seed.accounts[0]!.apiKey ?? '',
    'content-type': 'application/json',
    'content-length': String(body.length),
  }
  const response = await app.request('/api/v2/createLink', { method: 'POST', headers, body })

  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ])
  expect(await response.json()).toMatchObject({
    ResponseCode: 1,
    data: { amount: 12.5, recipient_note: 'Order 7', pay_link: expect.stringMatching(/^http:\/\/sandbox/) },
  })
  const [recorded] = await events.newest(store.db, { types: ['api.request'] }, 1)
  expect(recorded).toMatchObject({ operation: 'createLink', status: 200 })
  expect(problems).toEqual([])
  expect([globalThis.Request, globalThis.Response]).toEqual([Request, Response])
  await close()
})
