import SQLite from 'better-sqlite3'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openSandbox, recipients, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

/** Sends a call by plain HTTP, and resolves even if the connection breaks. */
const call = (sandbox: OpenSandbox, operation = 'createSplitLink', key = shop.apiKey) =>
  new Promise<{ status: number; type: string; text: string; error: string | null }>((resolve) => {
    const body = JSON.stringify({ amount: 100, recipients })
    const sent = request(
      `${sandbox.url}/api/v2/${operation}`,
      { method: 'POST', headers: { token: key, 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        const end = (error: string | null) =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text,
            error,
          })
        response.setEncoding('utf8')
        response.on('data', (piece: string) => (text += piece))
        response.on('end', () => end(null))
        response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, type: '', text: '', error: error.code ?? error.message }),
    )
    sent.end(body)
  })

const addFault = (sandbox: OpenSandbox, fault: object, query = '') =>
  sandbox.rawControl<{ id: number }>('POST', `/faults${query}`, { on: 'api', ...fault })

async function countLinks(sandbox: OpenSandbox): Promise<number> {
  const { answer } = await sandbox.control('GET', '/links')
  return answer.links.length
}

async function listFaultMarks(sandbox: OpenSandbox) {
  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  return answer.events.map(({ status, fault }) => [status, fault?.effect ?? null])
}

const RESETS = ['ECONNRESET', 'EPIPE']

test('a fault script applies its steps to successive calls, and failed calls change nothing', async ({
  sandbox,
}) => {
  await addFault(sandbox, { script: '500,429,200' })

  const first = await call(sandbox)
  expect(first).toMatchObject({ status: 500, type: 'text/html; charset=utf-8' })
  expect(() => JSON.parse(first.text)).toThrow(SyntaxError)
  expect((await call(sandbox)).status).toBe(429)
  expect(await countLinks(sandbox)).toBe(0)
  expect(JSON.parse((await call(sandbox)).text).ResponseCode).toBe(1)
  expect(JSON.parse((await call(sandbox)).text).ResponseCode).toBe(1)
  expect(await listFaultMarks(sandbox)).toEqual([
    [500, '500'],
    [429, '429'],
    [200, null],
    [200, null],
  ])
})

test('refuse: answers with the given error in the envelope and rolls the call back', async ({ sandbox }) => {
  await addFault(sandbox, { script: ['refuse:Service closed, come back later'] })

  const { text } = await call(sandbox)
  expect(JSON.parse(text)).toMatchObject({ ResponseCode: 0, ResponseMsg: 'Service closed, come back later' })
  expect(await countLinks(sandbox)).toBe(0)
  expect(JSON.parse((await call(sandbox)).text).ResponseCode).toBe(1)
})

test.for(['reset', 'empty', 'truncate'])(
  '%s: executes the call and loses its answer',
  async (effect, { sandbox }) => {
    await addFault(sandbox, { script: effect })

    const answer = await call(sandbox)
    if (effect === 'empty') expect(answer).toMatchObject({ status: 200, text: '', error: null })
    else if (effect === 'reset') expect(RESETS).toContain(answer.error)
    else {
      expect(answer.status).toBe(200)
      expect(answer.text).toMatch(/^\{"ResponseCode":1/)
      expect(answer.error).not.toBeNull()
    }
    expect(await countLinks(sandbox)).toBe(1)
    expect(await listFaultMarks(sandbox)).toEqual([[200, effect]])
    expect(sandbox.problems).toEqual([])
  },
)

test.for(['drop-request', 'empty:before', 'truncate:before'])(
  '%s: does not execute the call',
  async (effect, { sandbox }) => {
    await addFault(sandbox, { script: effect })

    const { text, error } = await call(sandbox)
    expect(error !== null || text === '').toBe(true)
    expect(await countLinks(sandbox)).toBe(0)
  },
)

test('html: a page replaces the answer, whether the call is carried out or not', async ({ sandbox }) => {
  await addFault(sandbox, { script: 'html,html:before' })

  for (const links of [1, 1]) {
    const { status, type, text } = await call(sandbox)
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('<title>Maintenance</title>')
    expect(await countLinks(sandbox)).toBe(links)
  }
})

test('rate-limit: refuses the call with 429 and Retry-After', async ({ sandbox }) => {
  await addFault(sandbox, { script: 'rate-limit:1500ms' })

  const { status, headers, envelope } = await sandbox.call('createSplitLink', { amount: 100, recipients })
  expect([status, headers.get('retry-after')]).toEqual([429, '2'])
  expect(envelope).toMatchObject({ ResponseCode: 0, ResponseMsg: 'Too many requests' })
  expect(await countLinks(sandbox)).toBe(0)
  expect(await listFaultMarks(sandbox)).toEqual([[429, 'rate-limit:1500ms']])
})

test('code-as-text: ResponseCode is text in a success and in a refusal', async ({ sandbox }) => {
  await addFault(sandbox, { script: ['code-as-text', 'code-as-text:Closed'] })

  expect(JSON.parse((await call(sandbox)).text)).toMatchObject({
    ResponseCode: '1',
    data: { status: 'Unused' },
  })
  expect(JSON.parse((await call(sandbox)).text)).toMatchObject({ ResponseCode: '0', ResponseMsg: 'Closed' })
  expect(await countLinks(sandbox)).toBe(1)
})

test('the answer of a fault has no Sandbox-Assumed header', async ({ sandbox }) => {
  await addFault(sandbox, { script: '500' })
  const response = await fetch(`${sandbox.url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 100, recipients }),
  })
  expect(response.status).toBe(500)
  expect([...response.headers.keys()].filter((name) => name.startsWith('sandbox-'))).toEqual([])
  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  expect(answer.events[0]!.assumed).not.toContain('errorStatus')
})

test('latency: an error has the same status and assumptions as without a fault', async ({ sandbox }) => {
  await sandbox.control('PATCH', '/behaviors', { errorStatus: 'http' })
  await addFault(sandbox, { script: 'latency:1ms' })
  const send = async () => {
    const { status, headers } = await sandbox.call('createSplitLink', { amount: 100 })
    return [status, headers.get('sandbox-assumed')]
  }

  const delayed = await send()
  expect(delayed[0]).toBe(422)
  expect(delayed).toEqual(await send())
})

test('latency: answers late, unchanged, and does not hold up other calls', async ({ sandbox }) => {
  await addFault(sandbox, { script: 'latency:1500ms' })

  const order: string[] = []
  const late = call(sandbox).then((answer) => {
    order.push('late')
    return answer
  })
  await expect.poll(() => countLinks(sandbox)).toBe(1)
  await call(sandbox).then(() => order.push('other'))
  expect(JSON.parse((await late).text).ResponseCode).toBe(1)
  expect(order).toEqual(['other', 'late'])
})

test('latency: the recorded duration includes the delay, the processing time does not', async ({
  sandbox,
}) => {
  await addFault(sandbox, { script: 'latency:300ms' })
  await call(sandbox)
  await call(sandbox)

  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  const { log } = await (await fetch(`${sandbox.url}/_sandbox/v1/export.har`)).json()
  const [late, prompt] = answer.events

  expect(late!.ms - late!.processingMs!).toBeCloseTo(300)
  expect(prompt!.ms).toBe(prompt!.processingMs)
  expect(log.entries).toMatchObject(
    answer.events.map(({ ms, processingMs }) => ({
      time: ms,
      timings: { wait: ms },
      _sandbox: { processingMs },
    })),
  )
})

test('events recorded before processing times existed can still be read', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  {
    await using sandbox = await openSandbox({ db })
    await call(sandbox)
  }
  new SQLite(db).exec(`update event set data = json_remove(data, '$.processingMs')`).close()
  await using sandbox = await openSandbox({ db })

  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  const { log } = await (await fetch(`${sandbox.url}/_sandbox/v1/export.har`)).json()

  expect(answer.events).toMatchObject([{ ms: expect.any(Number) }])
  expect(answer.events[0]).not.toHaveProperty('processingMs')
  expect(log.entries[0]._sandbox).not.toHaveProperty('processingMs')
})

test('a fault applies only to calls of its account and operation', async ({ sandbox }) => {
  const { answer: market } = await sandbox.control('POST', '/accounts', {
    name: 'Fault market',
  })
  await addFault(
    sandbox,
    { script: '500', operation: 'createLink', times: 'always' },
    `?account=${market.id}`,
  )

  expect((await call(sandbox, 'createLink')).status).toBe(200)
  expect((await call(sandbox, 'createSplitLink', market.apiKey)).status).toBe(200)
  expect((await call(sandbox, 'createLink', market.apiKey)).status).toBe(500)
})

test('if two faults match, the older one applies first', async ({ sandbox }) => {
  await addFault(sandbox, { script: '500' })
  await addFault(sandbox, { script: '503', times: 2 })

  const statuses = []
  for (let number = 0; number < 4; number++) statuses.push((await call(sandbox)).status)
  expect(statuses).toEqual([500, 503, 503, 200])
})

test('the journal records what a fault changed in an answer', async ({ sandbox }) => {
  await addFault(sandbox, { script: 'truncate,reset,502' })
  const { text } = await call(sandbox)
  await call(sandbox)
  await call(sandbox)

  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  const bodies = await Promise.all(
    answer.events.map(async ({ seq }) => {
      const { response } = (await sandbox.control('GET', `/events/${seq}`)).answer.exchange!
      return response && [response.status, response.body.content]
    }),
  )
  expect(bodies).toEqual([[200, text], null, [502, expect.stringContaining('502')]])
})
