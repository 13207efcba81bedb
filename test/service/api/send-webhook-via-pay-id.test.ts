import { expect, test } from 'vitest'
import { openSandbox, type OpenSandbox } from '../../support/sandbox.ts'

/**
 * Opens a sandbox with links 1001 (unused), 1002 (paid), 1003 (cancelled), 1004 (deleted) and 1005
 * (awaiting a bank transfer).
 */
async function openWithLinks(): Promise<OpenSandbox> {
  const sandbox = await openSandbox()
  for (const _link of [1001, 1002, 1003, 1004, 1005]) {
    await sandbox.call('createLink', { amount: 1, bank_transfer: true })
  }
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.control('POST', '/links/1003/cancel')
  await sandbox.control('DELETE', '/links/1004')
  await sandbox.control('POST', '/links/1005/pay', { method: 'bank-transfer' })
  return sandbox
}

const SENT = 'Webhook has been sent successfully'
const notPaid = (payId: number): string => `The link with pay_id ${payId} has not been paid`
const notCancelled = (payId: number): string => `The link with pay_id ${payId} has not been cancelled`

test('sendWebhookViaPayId: resends the current status, and other statuses only with resendUnpaid=send', async () => {
  await using sandbox = await openWithLinks()
  const askForEach = async (status: string) => {
    const answers = []
    for (const payId of [1001, 1002, 1003, 1004, 1005]) {
      const { envelope, headers } = await sandbox.call('sendWebhookViaPayId', {
        pay_ids: String(payId),
        status,
      })
      const isAssumed = headers.get('sandbox-assumed')!.split(', ').includes('resendUnpaid')
      answers.push([envelope.ResponseMsg, isAssumed])
    }
    return answers
  }

  expect(await askForEach('Success')).toEqual([
    [notPaid(1001), true],
    [SENT, false],
    [notPaid(1003), true],
    ['Invalid link ID', false],
    [notPaid(1005), true],
  ])
  expect(await askForEach('cancel')).toEqual([
    [notCancelled(1001), true],
    [notCancelled(1002), true],
    [SENT, false],
    ['Invalid link ID', false],
    [notCancelled(1005), true],
  ])
  await sandbox.control('PATCH', '/behaviors', { resendUnpaid: 'send' })
  expect(await askForEach('Success')).toEqual([
    [SENT, true],
    [SENT, false],
    [SENT, true],
    ['Invalid link ID', false],
    [SENT, true],
  ])
})

test.each([
  ['Success', 'Success', SENT],
  ['SUCCESS', 'Success', SENT],
  ['success', 'Success', SENT],
  ['Cancel', 'cancel', SENT],
  ['CANCEL', 'cancel', SENT],
  ['cancelled', null, 'status should be Success or cancel'],
  ['\u017fuccess', null, 'status should be Success or cancel'],
  [1, null, 'status should be Success or cancel'],
  ['', null, 'Please enter status'],
  [null, null, 'Please enter status'],
])('sendWebhookViaPayId: the status %j is read as %j', async (status, told, message) => {
  await using sandbox = await openWithLinks()
  const payId = told === 'cancel' ? '1003' : '1002'
  const { envelope } = await sandbox.call('sendWebhookViaPayId', { pay_ids: payId, status })
  expect(envelope.ResponseMsg).toBe(message)

  const { answer } = await sandbox.control('GET', '/deliveries')
  const resent = answer.deliveries.filter(({ cause }) => cause === 'resend').map(({ status: of }) => of)
  expect(resent).toEqual(told === null ? [] : [told])
})

test.each<[option: 'any-case' | 'refuse' | 'as-given', sent: readonly (string | null)[]]>([
  ['any-case', ['Success', 'Success', null, 'Success', null]],
  ['refuse', ['Success', null, null, null, null]],
  ['as-given', ['Success', 'SUCCESS', 'PAID', 'success', ' Success']],
])('resendStatus=%s: Success, SUCCESS, PAID, success and " Success" are sent as %j', async (option, sent) => {
  await using sandbox = await openWithLinks()
  await sandbox.control('PATCH', '/behaviors', { resendStatus: option })
  const texts = ['Success', 'SUCCESS', 'PAID', 'success', ' Success']
  const answers = []
  for (const status of texts) {
    const { envelope, headers } = await sandbox.call('sendWebhookViaPayId', { pay_ids: '1002', status })
    answers.push([envelope.ResponseMsg, headers.get('sandbox-assumed')!.includes('resendStatus')])
  }
  const refused = 'status should be Success or cancel'
  expect(answers).toEqual(sent.map((text, index) => [text === null ? refused : SENT, index > 0]))

  await sandbox.settled()
  const { answer } = await sandbox.control('GET', '/deliveries')
  const resent = answer.deliveries.filter(({ cause }) => cause === 'resend').toReversed()
  const expected = sent.filter((text) => text !== null)
  expect(resent.map(({ status }) => status)).toEqual(expected)
  expect(resent.map(({ body }) => new URLSearchParams(body).get('data[status]'))).toEqual(expected)
})

test.each(['__proto__', 'constructor'])('the status %s is refused like any other status', async (status) => {
  await using sandbox = await openWithLinks()
  const { envelope } = await sandbox.call('sendWebhookViaPayId', { pay_ids: '1002', status })
  expect(envelope.ResponseMsg).toBe('status should be Success or cancel')
})

test('resendStatus=as-given sends any other text, even for a link that was never paid', async () => {
  await using sandbox = await openWithLinks()
  await sandbox.control('PATCH', '/behaviors', { resendStatus: 'as-given', statusText: 'lowercase' })
  const ask = async (pay_ids: string, status: string) =>
    (await sandbox.call('sendWebhookViaPayId', { pay_ids, status })).envelope.ResponseMsg
  expect(await ask('1001', 'REFUNDED')).toBe(SENT)
  expect(await ask('1001', 'Success')).toBe(notPaid(1001))
  expect(await ask('1004', 'REFUNDED')).toBe('Invalid link ID')
  const { answer } = await sandbox.control('GET', '/events?type=delivery.queued&limit=1')
  expect(answer.events).toMatchObject([{ status: 'REFUNDED' }])
})

test.each<[given: unknown, message: string]>([
  ['1002,', SENT],
  [',,1002', SENT],
  ['01002', SENT],
  [' 1002 , 1002', SENT],
  [',', 'pay_ids should contain at least one id'],
  [' , ', 'pay_ids should contain at least one id'],
  [' ', 'pay_ids should contain at least one id'],
  ['', 'Please enter pay_ids'],
  ['0', 'Invalid link ID'],
  ['9'.repeat(400), 'Invalid link ID'],
  ['1002,-1', 'pay_ids contains -1, expected comma-separated integers'],
  ['1002.0', 'pay_ids contains 1002.0, expected comma-separated integers'],
  [1002, 'pay_ids should be a string'],
  [[1002], 'pay_ids should be a string, several entries with commas between them'],
])('sendWebhookViaPayId: pay_ids of %j is parsed as a comma-separated list', async (given, message) => {
  await using sandbox = await openWithLinks()
  const { envelope } = await sandbox.call('sendWebhookViaPayId', { pay_ids: given, status: 'Success' })
  expect(envelope.ResponseMsg).toBe(message)
})

test.each([',', ' ', '1002;1003', '1002,', '01002'])(
  'an answer to pay_ids of %j names resendAnswer',
  async (pay_ids) => {
    await using sandbox = await openWithLinks()
    const { headers } = await sandbox.call('sendWebhookViaPayId', { pay_ids, status: 'Success' })
    expect(headers.get('sandbox-assumed')?.split(', ')).toContain('resendAnswer')
  },
)
