import { expect, test } from 'vitest'
import { SandboxError } from '../../server/contract/sandbox-error.ts'
import { createRequest, type Request } from '../../server/client/request.ts'
import { sandboxFetch } from '../../server/client/sandbox-fetch.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'

const open = async (url: string): Promise<Request> =>
  createRequest(url, undefined, await sandboxFetch(url, undefined))

test('a request fills in the parameters of its path, and encodes them', async () => {
  await using sandbox = await openSandbox()
  const link = await sandbox.createLink()
  const request = await open(sandbox.url)

  expect((await request('GET /links/:ref', { param: { ref: link.id } })).id).toBe(link.id)
  expect((await request('GET /links/:ref', { param: { ref: link.pay_link } })).id).toBe(link.id)
})

test('an error has its reason, its request and its fields as separate values', async () => {
  await using sandbox = await openSandbox()

  const request = await open(sandbox.url)
  const error = await request('POST /accounts', { json: { name: '' } }).catch((one) => one)

  expect(error).toBeInstanceOf(SandboxError)
  expect(error).toMatchObject({ request: 'POST /_sandbox/v1/accounts', status: 400 })
  expect(error.detail).toMatch(/^name in the body is ""\. It should /)
  expect(error.message).toBe(`POST /_sandbox/v1/accounts 400: ${error.detail}`)
  expect(error.errors).toEqual([{ path: 'name', message: expect.any(String) }])
})

test('wrong routes and bodies do not compile', async () => {
  const wrong = async (request: Request): Promise<unknown> => [
    // @ts-expect-error There is no such route.
    await request('POST /links/:ref/refuse', { param: { ref: 1 } }),
    // @ts-expect-error It has another method.
    await request('GET /links/:ref/pay', { param: { ref: 1 } }),
    // @ts-expect-error The parameter is missing.
    await request('POST /links/:ref/pay'),
    // @ts-expect-error There is no such payment method.
    await request('POST /links/:ref/pay', { param: { ref: 1 }, json: { method: 'cash' } }),
    // @ts-expect-error There is no such query.
    await request('GET /events', { query: { since: 1 } }),
    // @ts-expect-error The answer has no such field.
    (await request('GET /info')).versions,
  ]
  expect(wrong).toBeTypeOf('function')
})

test('wrong requests of a test do not compile', () => {
  const wrong = async ({ control }: OpenSandbox): Promise<unknown> => [
    // @ts-expect-error There is no such route.
    await control('POST', `/links/${1001}/refuse`),
    // @ts-expect-error It has another method.
    await control('GET', '/links/1001/pay'),
    // @ts-expect-error There is no such query.
    await control('GET', '/events?since=1'),
    // @ts-expect-error There is no such payment method.
    await control('POST', '/links/1001/pay', { method: 'cash' }),
    // @ts-expect-error The route takes no body.
    await control('POST', '/links/1001/decline', {}),
    // @ts-expect-error The answer has no such field.
    (await control('GET', '/info')).answer.versions,
    // @ts-expect-error Events of this type have no such field.
    (await control('GET', '/events?type=link.paid&limit=1')).answer.events[0]?.httpStatus,
  ]
  expect(wrong).toBeTypeOf('function')
})
