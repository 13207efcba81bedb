import { expect } from 'vitest'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import { faultPoints } from '../../server/domain/faults/fault.ts'
import { listEffects, parseEffect } from '../../server/domain/faults/fault-effect.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test.for([
  [
    { on: 'api', script: 'latncy:2s' },
    'script in the body has the effect latncy:2s, which does not exist on api, did you mean latency:<time>?',
  ],
  [{ on: 'api', script: 'latency:90s' }, 'has the effect latency:90s, but latency is written latency:<time>'],
  [{ on: 'api', script: '302' }, 'has the effect 302, but a status is 200 or from 400 to 599'],
  [{ on: 'redirect', script: '500' }, 'The effects are pass, lost, status:<text>, pay-id:<text>'],
  [{ on: 'webhook', script: 'drop', operation: 'createLink' }, 'operation in the body is for faults on api'],
  [{ on: 'api', script: '500', target: 'http://localhost' }, 'target in the body is for faults on webhook'],
  [
    { on: 'api', script: '500', operation: 'createLnk' },
    'operation in the body is createLnk, which does not exist, did you mean createLink?',
  ],
  [
    { on: 'api', script: '500', times: 0 },
    'times in the body is 0. It should be a whole number from 1 to 1000000, or always',
  ],
  [{ on: 'api', script: '500', probability: 0 }, 'probability in the body is 0. It should be greater than 0'],
  [{ on: 'api', script: '500', time: 3 }, 'unknown key time, did you mean times?'],
  [{ on: 'api', script: [] }, 'script in the body'],
  [
    { on: 'api', script: 'truncate:constructor' },
    'has the effect truncate:constructor, but truncate is written',
  ],
  [{ on: 'api', script: 'refuse:sorry, not today' }, 'give a list if an effect contains a comma'],
  [{ on: 'redirect', script: `status:${'x'.repeat(500)}` }, 'has a step of more than 500 characters'],
  [{ on: 'redirect', script: 'pay-id:\ud800' }, 'script in the body'],
  [{ on: 'web', script: 'drop' }, 'on in the body is "web". It should be api, webhook or redirect'],
  [{ on: 'api', script: '' }, 'script in the body is empty'],
] as const)('an invalid fault is refused: %j', async ([fault, message], { sandbox }) => {
  const { status, answer } = await sandbox.rawControl('POST', '/faults', fault)

  expect(status).toBe(400)
  expect(answer['detail']).toContain(message)
  expect((await sandbox.control('GET', '/faults')).answer['faults']).toEqual([])
})

test('faults are listed with their remaining uses, and deleted one by one or together', async ({
  sandbox,
}) => {
  await sandbox.control('POST', '/faults', { on: 'api', script: '500, 503', times: 2 })
  await sandbox.control('POST', '/faults', { on: 'redirect', script: 'lost', probability: 0.3, seed: 4 })
  await sandbox.call('getTaxInvoiceList', {}).catch(() => {})

  const { answer } = await sandbox.control('GET', '/faults')
  expect(answer.faults).toMatchObject([
    { id: 1, script: ['500', '503'], times: 2, matched: 1, triggered: 1, remaining: 3 },
    { id: 2, script: ['lost'], times: 'always', probability: 0.3, seed: 4, remaining: 'always' },
  ])
  expect((await sandbox.control('DELETE', '/faults/1')).status).toBe(200)
  expect((await sandbox.control('DELETE', '/faults/1')).status).toBe(404)
  expect((await sandbox.control('DELETE', '/faults')).answer.faults).toHaveLength(1)
  // Ids are not reused, because the journal refers to faults by id.
  expect((await sandbox.control('POST', '/faults', { on: 'api', script: 'pass' })).answer['id']).toBe(3)
})

test('the number of faults is limited', async ({ sandbox }) => {
  for (let number = 0; number < 200; number++) {
    expect((await sandbox.control('POST', '/faults', { on: 'api', script: 'pass' })).status).toBe(201)
  }
  const { status, answer } = await sandbox.rawControl('POST', '/faults', { on: 'api', script: 'pass' })
  expect(status).toBe(409)
  expect(answer['detail']).toContain('There can be at most 200 faults')

  // A fault that is used up does not count toward the limit.
  await sandbox.createLink()
  expect((await sandbox.control('POST', '/faults', { on: 'api', script: 'pass' })).answer['id']).toBe(201)
  const { answer: listed } = await sandbox.control('GET', '/faults')
  expect(listed.faults).toHaveLength(200)
  expect(listed.faults[0]!.id).toBe(2)
})

test('a fault of an account applies only to this account, and ends when the account is reset', async ({
  sandbox,
}) => {
  await using handle = await connectSandbox(sandbox.url)
  const [one, other] = [await handle.createAccount(), await handle.createAccount()]
  await one.faults.add({ on: 'api', script: 'refuse:closed', times: 'always' })

  await expect(one.createLink({ amount: 10 })).rejects.toThrow('closed')
  expect((await other.createLink({ amount: 10 })).id).toBeGreaterThan(0)
  expect(await other.faults.list()).toEqual([])
  const again = await one.reset()
  expect(await again.faults.list()).toEqual([])
  expect((await again.createLink({ amount: 10 })).id).toBeGreaterThan(0)
})

test('the handle adds, lists and deletes faults, and forges webhooks', async ({ sandbox }) => {
  await using handle = await connectSandbox(sandbox.url)
  const account = await handle.createAccount()
  const receiver = await account.receiver()
  const fault = await account.faults.add({ on: 'webhook', script: ['duplicate:1', 'drop'] })
  expect(await account.faults.list()).toMatchObject([{ id: fault.id, remaining: 2 }])

  const link = await account.createLink({ amount: 10 })
  const forged = await account.forge(link, { forgery: 'amount' })
  expect(forged).toMatchObject([{ cause: 'forged', state: 'delivered' }])
  expect((await receiver.next()).form['data[amount]']).toBe('0.01')
  await account.pay(link)
  await receiver.next()
  await receiver.next()
  await account.faults.remove(fault)
  await handle.faults.add({ on: 'redirect', script: 'lost' })
  await account.faults.clear()
  expect(await handle.faults.list()).toHaveLength(1)
  await handle.faults.clear()
  expect(await handle.faults.list()).toEqual([])
})

test.for([
  ['503', 'createLink was answered with HTTP 503 and an HTML page'],
  ['empty', 'HTTP 200 and an empty body'],
  ['truncate', 'HTTP 200 and only a part of the body'],
  ['reset', 'createLink got no answer'],
] as const)(
  'the handle reports what the fault %s did to its own call',
  async ([script, message], { sandbox }) => {
    await using handle = await connectSandbox(sandbox.url)
    const account = await handle.createAccount()
    await account.faults.add({ on: 'api', script })
    const failed = account.createLink({ amount: 10 })
    await expect(failed).rejects.toThrow(message)
    await expect(failed).rejects.toThrow('A fault on api can cause this')
  },
)

test('a call on the handle of a closed sandbox is not attributed to a fault', async () => {
  const sandbox = await openSandbox()
  await using handle = await connectSandbox(sandbox.url)
  const account = await handle.createAccount()
  await account.createLink({ amount: 10 })
  await sandbox.close()
  const failed = account.createLink({ amount: 10 })
  await expect(failed).rejects.toThrow(/^No sandbox answers at .* It may have been closed/)
  await expect(failed).rejects.not.toThrow('fault')

  await using _ = await startReceiver(
    (_received, response) => response.writeHead(404).end('<html>'),
    '127.0.0.1',
    Number(new URL(sandbox.url).port),
  )
  await expect(account.createLink({ amount: 10 })).rejects.toThrow(
    /^No sandbox answers at .*: createLink was answered with HTTP 404 and an HTML page/,
  )
})

test('a reset deletes every fault, and restoring a snapshot brings its faults back', async ({ sandbox }) => {
  await sandbox.control('POST', '/faults', { on: 'api', script: 'pass', times: 'always' })
  await sandbox.control('POST', '/snapshots', { name: 'armed' })
  await sandbox.control('POST', '/reset')
  expect((await sandbox.control('GET', '/faults')).answer['faults']).toEqual([])
  await sandbox.control('POST', '/snapshots/armed/restore')
  expect((await sandbox.control('GET', '/faults')).answer['faults']).toMatchObject([
    { id: 1, script: ['pass'] },
  ])
})

test('every listed effect of a fault is accepted as it is listed', () => {
  const examples: Record<string, string> = {
    status: '503',
    time: '2s',
    message: 'No',
    copies: '3',
    type: 'text/plain',
    text: '7',
  }
  for (const on of faultPoints) {
    for (const { forms } of listEffects(on)) {
      for (const { prefix, parameter } of forms) {
        const text = prefix + (parameter === undefined ? '' : examples[parameter]!)
        expect(parseEffect(on, text), `${on} ${text}`).toBeDefined()
      }
    }
  }
})
