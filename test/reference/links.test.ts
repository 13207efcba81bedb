import decode from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect } from 'vitest'
import { courier, market, recipients, shop } from '../support/sandbox.ts'
import { refusal, test, visit } from './sandbox.ts'

const split = (...shares: readonly number[]) =>
  shares.map((share, index) => ({ token: [courier, market][index % 2]!.recipientToken, share }))

describe('4 The payment link that createSplitLink returns', () => {
  test.for([
    ['4.1 id', 'id', expect.any(Number)],
    ['4.2 the id of its owner', 'user_id', shop.id],
    ['4.3 the total amount in euros', 'amount', 49.99],
    ['4.4 the note', 'recipient_note', 'Order 7'],
    ['4.5 the status Unused', 'status', 'Unused'],
    ['4.6 its webhook URLs', 'paymentEndpoint', 'https://shop.example/a,https://shop.example/b'],
    ['4.7 its redirect URL', 'callback_url', 'https://shop.example/thanks'],
    ['4.8 a number as text in servicefee', 'servicefee', expect.stringMatching(/^\d+(\.\d+)?$/)],
    ['4.9 the recipients, as JSON in a text', 'recipients', JSON.stringify(recipients)],
    ['4.10 the text true for a split', 'is_split_link', 'true'],
    ['4.11 the type of the split', 'split_type', 'normal'],
    ['4.12 a boolean as text in bank_transfer', 'bank_transfer', expect.stringMatching(/^(true|false)$/)],
    ['4.13 a boolean as text in is_qr_link', 'is_qr_link', 'true'],
    ['4.14 No, for not cancelled', 'is_cancellation', 'No'],
    ['4.15 an empty payment_config', 'payment_config', ''],
    ['4.16 an empty bank_statement_description', 'bank_statement_description', ''],
    ['4.17 its time, with seconds', 'created_at', '2026-07-01 12:00:00'],
    ['4.18 the address to pay at', 'pay_link', expect.stringMatching(/^http:.*\/payment\?link_id=.+$/)],
    ['4.19 the address of a QR code', 'qr_img', expect.stringMatching(/^http:\/\//)],
    ['4.20 the type Split', 'transaction_type', 'Split'],
  ])('%s', async ([, field, value], { sandbox }) => {
    const link = await sandbox.createLink({
      amount: 49.99,
      recipient_note: 'Order 7',
      payment_endpoint: 'https://shop.example/a,https://shop.example/b',
      callback_url: 'https://shop.example/thanks',
      is_qr_link: true,
    })

    expect(link).toEqual(expect.objectContaining({ [field as string]: value }))
  })

  test('4.21 the note is empty if the request has no note', async ({ sandbox }) => {
    expect(await sandbox.createLink()).toMatchObject({ recipient_note: '' })
  })

  test('4.22 the customer pays at pay_link', async ({ sandbox }) => {
    const { pay_link: payLink } = await sandbox.createLink()

    expect(payLink).toContain(`${sandbox.url}/payment?link_id=`)
    expect(await (await fetch(payLink)).text()).toContain('Pay €100.00')
  })

  test('4.23–4.24 the QR code has 300 by 300 pixels, and encodes pay_link', async ({ sandbox }) => {
    const link = await sandbox.createLink({ is_qr_link: true })

    const png = PNG.sync.read(Buffer.from(await (await fetch(link.qr_img)).arrayBuffer()))

    expect([png.width, png.height]).toEqual([300, 300])
    expect(decode(new Uint8ClampedArray(png.data), png.width, png.height)?.data).toBe(link.pay_link)
  })
})

describe('5 What createSplitLink takes', () => {
  test.for<[statement: string, body: object, message: string]>([
    ['5.1 amount is required', { recipients }, 'Please enter amount'],
    ['5.2 recipients is required', { amount: 1 }, 'Please enter recipients'],
    ['5.3 a recipient needs a token', { amount: 1, recipients: [{ share: 1 }] }, 'token'],
    [
      '5.4 a recipient needs a share',
      { amount: 1, recipients: [{ token: courier.recipientToken }] },
      'share',
    ],
    ['5.5 amount is a number', { amount: '100', recipients }, 'amount should be'],
    ['5.6 recipients is an array', { amount: 1, recipients: recipients[0] }, 'recipients should be'],
    ['5.7 amount is above 0', { amount: 0, recipients }, 'amount should be greater than zero'],
    [
      '5.8 split_type is normal or absolute',
      { amount: 1, recipients, split_type: 'half' },
      'split_type should',
    ],
    ['5.9 cancellable is a boolean', { amount: 1, recipients, cancellable: 'no' }, 'cancellable should be'],
    ['5.10 is_qr_link is a boolean', { amount: 1, recipients, is_qr_link: 'yes' }, 'is_qr_link should be'],
    ['5.11 recipient_note is text', { amount: 1, recipients, recipient_note: 7 }, 'recipient_note should be'],
    ['5.12 callback_url is text', { amount: 1, recipients, callback_url: 0 }, 'callback_url should be'],
    [
      '5.13 payment_endpoint is text',
      { amount: 1, recipients, payment_endpoint: [] },
      'payment_endpoint should be',
    ],
    [
      '5.14 the token of a recipient is text',
      { amount: 1, recipients: [{ token: 7, share: 1 }] },
      'recipients[0].token should be',
    ],
    [
      '5.15 the share of a recipient is a number',
      { amount: 1, recipients: [...recipients, { ...recipients[0], share: 'half' }] },
      'recipients[1].share should be',
    ],
  ])('%s', async ([, body, message], { sandbox }) => {
    expect(await refusal(sandbox, 'createSplitLink', body)).toContain(message)
  })

  test.for([0.01, 1, 100.5])('5.16 an amount of %d is accepted', async (amount, { sandbox }) => {
    expect(await sandbox.createLink({ amount })).toMatchObject({ amount })
  })

  test('5.17 the default of split_type is normal', async ({ sandbox }) => {
    expect(await sandbox.createLink()).toMatchObject({ split_type: 'normal' })
    expect(await sandbox.createLink({ split_type: 'absolute' })).toMatchObject({ split_type: 'absolute' })
  })

  test('5.18–5.19 a customer can cancel by default, and cannot if cancellable is false', async ({
    sandbox,
  }) => {
    const usual = await sandbox.createLink()
    const fixed = await sandbox.createLink({ cancellable: false })

    await visit(sandbox, usual, 'cancel')
    await visit(sandbox, fixed, 'cancel')

    const statusOf = async (id: number) => (await sandbox.control('GET', `/links/${id}`)).answer.status
    expect([await statusOf(usual.id), await statusOf(fixed.id)]).toEqual(['cancelled', 'unused'])
  })

  test('5.20 with is_qr_link, the link has a QR code', async ({ sandbox }) => {
    const { qr_img: image } = await sandbox.createLink({ is_qr_link: true })

    expect((await fetch(image)).headers.get('content-type')).toBe('image/png')
  })

  test('5.21–5.23 a successful answer has a message and the link, with the status Unused', async ({
    sandbox,
  }) => {
    const { envelope } = await sandbox.call('createSplitLink', { amount: 100, recipients })

    expect(envelope).toMatchObject({
      ResponseCode: 1,
      ResponseMsg: 'Link has been created successfully',
      data: { status: 'Unused' },
    })
  })
})

describe('6 How a payment is split', () => {
  test.for<[statement: string, extra: Record<string, unknown>, shares: number[], owner: number]>([
    ['6.1–6.3 normal: of 100, shares of 30 and 30 leave 40', { recipients: split(30, 30) }, [30, 30], 40],
    ['6.4 normal: a share is a percentage of the amount', { amount: 50, recipients: split(10) }, [5], 45],
    ['6.5 normal: shares of 100 in total leave nothing', { recipients: split(60, 40) }, [60, 40], 0],
    [
      '6.6–6.7 absolute: a share is in euros, and the owner gets the rest',
      { amount: 50, split_type: 'absolute', recipients: split(12.34, 20) },
      [12.34, 20],
      17.66,
    ],
    [
      '6.8 absolute: shares of the whole amount leave nothing',
      { amount: 49.99, split_type: 'absolute', recipients: split(12.34, 37.65) },
      [12.34, 37.65],
      0,
    ],
  ])('%s', async ([, extra, shares, owner], { sandbox }) => {
    const { id } = await sandbox.createLink(extra)

    const { payout } = (await sandbox.control('GET', `/links/${id}`)).answer

    expect(payout.recipients.map(({ amount }) => amount)).toEqual(shares)
    expect(payout.owner).toBe(owner)
  })

  test('6.9 a token names the account that gets the share', async ({ sandbox }) => {
    const { id } = await sandbox.createLink({ recipients: split(1, 2) })

    const { payout } = (await sandbox.control('GET', `/links/${id}`)).answer

    expect(payout.recipients.map(({ accountId }) => accountId)).toEqual([courier.id, market.id])
  })

  test.for<[statement: string, extra: object, message: string]>([
    [
      '6.10–6.11 a token that does not exist is named by its index, counted from 0',
      { recipients: [...split(10), { token: 'nobodys', share: 10 }] },
      'Invalid recipient token at index 1',
    ],
    [
      '6.12 the token of a production account does not exist in development',
      { recipients: [{ token: 'rcpProductionFakeToken00009', share: 10 }] },
      'Invalid recipient token at index 0',
    ],
    [
      '6.13 the owner cannot be a recipient',
      { recipients: [...split(10), { token: shop.recipientToken, share: 10 }] },
      'You cannot use your own token in recipient list at index 1',
    ],
    ['6.14 a share of 0', { recipients: split(10, 0) }, 'Share should be greater than zero at index 1'],
    ['6.15 a negative share', { recipients: split(-1) }, 'Share should be greater than zero at index 0'],
    [
      '6.16 absolute: a share of 0',
      { split_type: 'absolute', recipients: split(0) },
      'Share should be greater than zero at index 0',
    ],
    ['6.17 normal: one share above 100', { recipients: split(100.01) }, 'Share should be less than 100'],
    [
      '6.18 normal: shares above 100 in total',
      { recipients: split(60, 41) },
      'Share should be less than 100',
    ],
    [
      '6.19 absolute: shares above the amount, which the message has',
      { amount: 49.99, split_type: 'absolute', recipients: split(30, 20) },
      'Share should be less than or equal to 49.99',
    ],
    [
      '6.20 absolute: a share above 100 is a matter of the amount only',
      { amount: 100.5, split_type: 'absolute', recipients: split(101) },
      'Share should be less than or equal to 100.5',
    ],
  ])('%s', async ([, extra, message], { sandbox }) => {
    expect(await refusal(sandbox, 'createSplitLink', { amount: 100, ...extra })).toBe(message)
  })

  test('6.21 absolute: shares above 100 euros fit into a larger amount', async ({ sandbox }) => {
    const extra = { amount: 500, split_type: 'absolute', recipients: split(150, 250) }

    expect(await sandbox.createLink(extra)).toMatchObject({ amount: 500 })
  })
})

describe('7 createLink', () => {
  test('7.1–7.2 it takes an amount and the header token, and creates a link to pay', async ({ sandbox }) => {
    const { envelope } = await sandbox.call<{ pay_link: string }>('createLink', { amount: 12.5 })

    expect(envelope.ResponseCode).toBe(1)
    expect(await (await fetch(envelope.data.pay_link)).text()).toContain('Pay €12.50')
  })

  test('7.3 the amount is a number', async ({ sandbox }) => {
    expect(await refusal(sandbox, 'createLink', { amount: 'much' })).toContain('amount should be')
  })
})
