import { expect, test } from 'vitest'
import { openSandbox, type OpenSandbox } from '../../support/sandbox.ts'

const CALLBACK = 'http://localhost:9/back'

async function open(script: string) {
  const sandbox = await openSandbox()
  await sandbox.control('POST', '/faults', { on: 'redirect', script })
  return sandbox
}

const submitted = async (sandbox: OpenSandbox, outcome: string) => {
  const { pay_link } = await sandbox.createLink({ callback_url: CALLBACK })
  const response = await sandbox.submit(pay_link, { outcome })
  return response.headers.get('location') ?? ''
}

const redirects = async (sandbox: OpenSandbox) => {
  const { answer } = await sandbox.control('GET', '/events?type=redirect.sent,redirect.lost')
  return answer.events.map(({ type, status, fault }) => [type, status, fault?.effect ?? null])
}

test('lost: the customer stays on the page, and the payment counts', async () => {
  await using sandbox = await open('lost')

  expect(await submitted(sandbox, 'pay')).toMatch(/^\/payment\/closed\?/)
  expect(await submitted(sandbox, 'pay')).toMatch(/^http:\/\/localhost:9\/back\?pay_id=/)
  expect(await redirects(sandbox)).toEqual([
    ['redirect.lost', 'Success', 'lost'],
    ['redirect.sent', 'Success', null],
  ])
  const { answer } = await sandbox.control('GET', '/links?status=paid')
  expect(answer.links).toHaveLength(2)
})

test('status: a customer who cancels returns with Success', async () => {
  await using sandbox = await open('status:Success')

  expect(await submitted(sandbox, 'cancel')).toMatch(/&status=Success$/)
  expect(await redirects(sandbox)).toEqual([['redirect.sent', 'cancel', 'status:Success']])
})

test('pay-id: a customer returns with the pay_id of another payment', async () => {
  await using sandbox = await open('pay-id:1&x=é')

  const back = new URL(await submitted(sandbox, 'pay'))
  expect(back.searchParams.get('pay_id')).toBe('1&x=é')
})

test('pay by the control API reports a lost redirect as a closed browser, and a closed browser uses up no fault', async () => {
  await using sandbox = await open('lost')
  const pay = async (browser: 'closes' | 'returns') => {
    const { id } = await sandbox.createLink({ callback_url: CALLBACK })
    return (await sandbox.control('POST', `/links/${id}/pay`, { browser })).answer.redirect
  }
  expect(await pay('closes')).toBeNull()
  expect(await pay('returns')).toBeNull()
  expect(await pay('returns')).toMatchObject({ location: expect.stringContaining('status=Success') })
})
