import { describe, expect } from 'vitest'
import { operations } from '../../server/domain/api/operations.ts'
import { courier, openSandbox, production, recipients, shop, type EnvelopeOf } from '../support/sandbox.ts'
import { test, visit } from './sandbox.ts'

const JSON_HEADERS = { token: shop.apiKey, 'content-type': 'application/json' }

describe('1 Calls and answers', () => {
  test.for(operations)(
    '1.1–1.4 %s is at /api/v2, is called by POST with JSON, and answers with JSON',
    async (operation, { sandbox }) => {
      const url = `${sandbox.url}/api/v2/${operation}`
      const response = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body: '{}' })
      const envelope = (await response.json()) as EnvelopeOf

      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(Object.keys(envelope).slice(0, 4)).toEqual([
        'ResponseCode',
        'ResponseMsg',
        'Result',
        'ServerTime',
      ])
      const byGet = (await (await fetch(url, { headers: JSON_HEADERS })).json()) as EnvelopeOf
      expect(byGet.ResponseCode).toBe(0)
    },
  )

  test('1.5 the header Content-Type is required, and is application/json', async ({ sandbox }) => {
    const body = JSON.stringify({ amount: 1 })
    const codeFor = async (contentType: string) =>
      (await sandbox.call('createLink', body, { 'content-type': contentType })).envelope.ResponseCode

    expect(await codeFor('application/json')).toBe(1)
    expect(await codeFor('text/plain')).toBe(0)
    expect(await codeFor('application/x-www-form-urlencoded')).toBe(0)
  })

  test('1.6–1.9 a success has the integer ResponseCode 1, a ResponseMsg, Result "True" and a time zone in ServerTime', async ({
    sandbox,
  }) => {
    const { envelope } = await sandbox.call('createSplitLink', { amount: 100, recipients })

    expect(envelope).toEqual({
      ResponseCode: 1,
      ResponseMsg: 'Link has been created successfully',
      Result: 'True',
      ServerTime: 'CEST',
      data: expect.any(Object),
    })
  })

  test('1.10–1.14 an error has the integer ResponseCode 0, its cause in ResponseMsg, Result "False" and a time zone in ServerTime, but no data', async ({
    sandbox,
  }) => {
    const { envelope } = await sandbox.call('createSplitLink', { recipients })

    expect(envelope).toEqual({
      ResponseCode: 0,
      ResponseMsg: 'Please enter amount',
      Result: 'False',
      ServerTime: 'CEST',
    })
  })

  test('1.15 ServerTime is a label, which changes with the season', async () => {
    await using winter = await openSandbox({ now: () => new Date('2026-12-01T10:00:00Z') })

    const { envelope } = await winter.call('createLink', { amount: 1 })

    expect(envelope.ServerTime).toBe('CET')
  })

  test('1.16–1.18 data is an object, an array or absent, as the operation says', async ({ sandbox }) => {
    const link = await sandbox.createLink()
    await visit(sandbox, link)
    const invoices = await sandbox.call('getTaxInvoiceList', {})
    const refund = await sandbox.call('refundPayment', { pay_id: link.id, refund_amount: 1 })

    expect(link).toEqual(expect.objectContaining({ id: link.id }))
    expect(invoices.envelope.data).toBeInstanceOf(Array)
    expect(refund.envelope).not.toHaveProperty('data')
  })

  test('1.19 amounts are in euros', async ({ sandbox }) => {
    const { pay_link: payLink } = await sandbox.createLink({ amount: 12.5 })

    expect(await (await fetch(payLink)).text()).toContain('€12.50')
  })
})

describe('2 Versions', () => {
  test.for(['/api/v1/createLink', '/api/v3/createLink', '/api/createLink', '/createLink'])(
    '2.1 the version is part of the path: there is nothing at %s',
    async (path, { sandbox }) => {
      const call = { method: 'POST', headers: JSON_HEADERS, body: '{"amount":1}' }

      const response = await fetch(sandbox.url + path, call)

      expect(response.status).toBe(404)
    },
  )
})

describe('3 Authentication', () => {
  test.for(operations.filter((name) => name !== 'createSplitLink'))(
    '3.1–3.4 %s refuses a call without a key, with an unknown key and with a production key',
    async (operation, { sandbox }) => {
      const refused = {
        ResponseCode: 0,
        ResponseMsg: 'Incorrect token or missing token',
        Result: 'False',
        ServerTime: 'CEST',
      }

      for (const token of ['', 'keyOfNobody', production.apiKey]) {
        expect((await sandbox.call(operation, {}, { token })).envelope).toEqual(refused)
      }
    },
  )

  test('3.5–3.7 createSplitLink answers two errors with its own messages', async ({ sandbox }) => {
    const messageFor = async (token: string) =>
      (await sandbox.call('createSplitLink', {}, { token })).envelope.ResponseMsg

    expect(await messageFor('')).toBe('Please enter token')
    expect(await messageFor('keyOfNobody')).toBe('No user found with the provided API key.')
    expect(await messageFor(production.apiKey)).toBe('Incorrect token or missing token')
  })

  test('3.8 a missing header is the same as an empty one', async ({ sandbox }) => {
    const response = await fetch(`${sandbox.url}/api/v2/createSplitLink`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })

    expect(await response.json()).toMatchObject({ ResponseCode: 0, ResponseMsg: 'Please enter token' })
  })

  test('3.9–3.10 the key decides which account makes the call', async ({ sandbox }) => {
    const create = (token: string) =>
      sandbox.call<{ user_id: string }>('createLink', { amount: 1 }, { token })

    expect((await create(shop.apiKey)).envelope.data.user_id).toBe(shop.id)
    expect((await create(courier.apiKey)).envelope.data.user_id).toBe(courier.id)
  })

  test('3.11 a key has letters and digits only', async ({ sandbox }) => {
    const { answer } = await sandbox.control('POST', '/accounts', {})

    expect(answer.apiKey).toMatch(/^[A-Za-z0-9]+$/)
    const refused = await sandbox.control('POST', '/accounts', { apiKey: 'key-with-dashes' })
    expect(refused.status).toBe(400)
  })

  test('3.12 a replaced key is refused, and the new one is accepted', async ({ sandbox }) => {
    const { answer } = await sandbox.control('POST', '/accounts', {})
    await sandbox.control('PATCH', `/accounts/${answer.id}`, { apiKey: 'newKey0000000001' })
    const codeFor = async (token: string) =>
      (await sandbox.call('createLink', { amount: 1 }, { token })).envelope.ResponseCode

    expect(await codeFor(answer.apiKey)).toBe(0)
    expect(await codeFor('newKey0000000001')).toBe(1)
  })
})
