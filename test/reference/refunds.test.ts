import { describe, expect } from 'vitest'
import { courier, type CreatedLink, type OpenSandbox } from '../support/sandbox.ts'
import { refusal, test, visit } from './sandbox.ts'

const ACCEPTED = 'Refund request has been sent successfully, You will get update within 5-10 days'

/** Creates and pays a link. */
async function payLink(sandbox: OpenSandbox, extra: object = {}): Promise<CreatedLink> {
  const link = await sandbox.createLink({ ...extra })
  await visit(sandbox, link)
  return link
}

const stateOf = async ({ control }: OpenSandbox, payId: number): Promise<string | undefined> =>
  (await control('GET', '/refunds')).answer.refunds.find((refund) => refund.payId === payId)?.state

describe('8 refundPayment', () => {
  test.for<[statement: string, body: object]>([
    ['8.1 a full refund has the whole amount', { refund_amount: 100, isFullRefund: true }],
    ['8.2 a full refund is marked by its amount only', { refund_amount: 100 }],
    ['8.3 a partial refund has less than the whole amount', { refund_amount: 40.5 }],
    ['8.4 a partial refund can be marked by isFullRefund', { refund_amount: 99.99, isFullRefund: false }],
    ['8.5 the smallest refund is one cent', { refund_amount: 0.01 }],
  ])('%s', async ([, body], { sandbox }) => {
    const { id } = await payLink(sandbox)

    const { envelope } = await sandbox.call('refundPayment', { pay_id: id, ...body })

    expect(envelope).toEqual({
      ResponseCode: 1,
      ResponseMsg: ACCEPTED,
      Result: 'True',
      ServerTime: 'CEST',
    })
  })

  test('8.6–8.8 a request is pending, and nothing is refunded before the operator decides', async ({
    sandbox,
  }) => {
    const [approved, rejected] = [await payLink(sandbox), await payLink(sandbox)]
    for (const { id } of [approved, rejected]) {
      await sandbox.call('refundPayment', { pay_id: id, refund_amount: 100 })
    }
    const states = async () => [await stateOf(sandbox, approved.id), await stateOf(sandbox, rejected.id)]

    expect(await states()).toEqual(['pending', 'pending'])
    await sandbox.control('POST', `/refunds/${approved.id}/approve`)
    await sandbox.control('POST', `/refunds/${rejected.id}/reject`)
    expect(await states()).toEqual(['approved', 'rejected'])
  })

  test('8.9 pay_id is the pay_id of the redirect', async ({ sandbox }) => {
    const link = await sandbox.createLink({ callback_url: 'https://shop.example/done' })
    const location = new URL((await visit(sandbox, link)).headers.get('location')!)

    const pay_id = Number(location.searchParams.get('pay_id'))

    expect((await sandbox.call('refundPayment', { pay_id, refund_amount: 1 })).envelope.ResponseMsg).toBe(
      ACCEPTED,
    )
  })

  test('8.10–8.11 pay_id and refund_amount are required, even for a full refund', async ({ sandbox }) => {
    const { id } = await payLink(sandbox)

    expect(await refusal(sandbox, 'refundPayment', { refund_amount: 1 })).toBe('Please enter pay_id')
    expect(await refusal(sandbox, 'refundPayment', { pay_id: id })).toBe('Please enter refund_amount')
    expect(await refusal(sandbox, 'refundPayment', { pay_id: id, isFullRefund: true })).toBe(
      'Please enter refund_amount',
    )
  })

  test.for<[statement: string, body: object, message: string]>([
    ['8.12 pay_id is an integer', { pay_id: 1.5, refund_amount: 1 }, 'pay_id should be'],
    ['8.13 refund_amount is a number', { pay_id: 1, refund_amount: 'all' }, 'refund_amount should be'],
    ['8.14 isFullRefund is a boolean', { pay_id: 1, refund_amount: 1, isFullRefund: 'yes' }, 'isFullRefund'],
  ])('%s', async ([, body, message], { sandbox }) => {
    expect(await refusal(sandbox, 'refundPayment', body)).toContain(message)
  })

  test.for<[statement: string, amount: number]>([
    ['8.15 more than the payment', 100.01],
    ['8.16 nothing', 0],
    ['8.17 less than nothing', -1],
  ])('%s is an invalid amount', async ([, amount], { sandbox }) => {
    const { id } = await payLink(sandbox)

    expect(await refusal(sandbox, 'refundPayment', { pay_id: id, refund_amount: amount })).toBe(
      'Invalid refund amount',
    )
    expect(await stateOf(sandbox, id)).toBeUndefined()
  })

  test('8.18–8.19 a link that does not exist, or belongs to another account, is refused', async ({
    sandbox,
  }) => {
    const { id } = await payLink(sandbox)
    const body = { pay_id: id, refund_amount: 1 }

    for (const pay_id of [999_999, 0, -1, 2 ** 53, 1e20]) {
      expect(await refusal(sandbox, 'refundPayment', { pay_id, refund_amount: 1 })).toBe('Invalid link ID')
    }
    expect(await refusal(sandbox, 'refundPayment', body, { token: courier.apiKey })).toBe('Invalid link ID')
  })

  test('8.20 a cancelled link is refused', async ({ sandbox }) => {
    const link = await sandbox.createLink()
    await visit(sandbox, link, 'cancel')

    expect(await refusal(sandbox, 'refundPayment', { pay_id: link.id, refund_amount: 1 })).toBe(
      'Link is cancelled',
    )
  })

  test('8.21–8.22 a link can have only one refund request, even if part of the payment is left', async ({
    sandbox,
  }) => {
    const { id } = await payLink(sandbox)
    await sandbox.call('refundPayment', { pay_id: id, refund_amount: 1 })

    expect(await refusal(sandbox, 'refundPayment', { pay_id: id, refund_amount: 1 })).toBe(
      'Refund already requested',
    )
    await sandbox.control('POST', `/refunds/${id}/approve`)
    expect(await refusal(sandbox, 'refundPayment', { pay_id: id, refund_amount: 1 })).toBe(
      'Refund already requested',
    )
  })

  test('8.23 an active dispute blocks the refund', async ({ sandbox }) => {
    const { id } = await payLink(sandbox)
    await sandbox.control('PUT', `/links/${id}/dispute`)

    expect(await refusal(sandbox, 'refundPayment', { pay_id: id, refund_amount: 1 })).toBe(
      'Refund blocked by dispute',
    )
  })

  test('8.24–8.26 neither the request nor its approval or rejection sends a webhook', async ({
    sandbox,
    receiver,
  }) => {
    const links = [
      await payLink(sandbox, { payment_endpoint: receiver.url }),
      await payLink(sandbox, { payment_endpoint: receiver.url }),
    ]
    await receiver.count(2)

    for (const { id } of links) await sandbox.call('refundPayment', { pay_id: id, refund_amount: 100 })
    await sandbox.control('POST', `/refunds/${links[0]!.id}/approve`)
    await sandbox.control('POST', `/refunds/${links[1]!.id}/reject`)
    await sandbox.settled()

    expect(receiver.received).toHaveLength(2)
  })
})
