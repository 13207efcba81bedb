import { describe, expect } from 'vitest'
import { createAccount } from '../support/account.ts'
import { courier, openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from './sandbox.ts'

interface Invoice {
  readonly sf_id: string
  readonly invoice_id: string
  readonly invoice_date: string
  readonly service_month: string
  readonly total_secpaid_fee: number
  readonly total_psp_fee: number
  readonly vat: number
}

const list = async ({ call }: Pick<OpenSandbox, 'call'>, body: object, token = shop.apiKey) =>
  (await call<Invoice[]>('getTaxInvoiceList', body, { token })).envelope

const numbers = (invoices: readonly Invoice[]): string[] => invoices.map(({ sf_id }) => sf_id)

/** A sandbox on the last evening of a month. The shop has paid links in this month. */
async function openAtMonthEnd() {
  const sandbox = await openSandbox({ now: () => new Date('2026-11-30T20:00:00Z') })
  const account = await createAccount(sandbox, {
    billing: { company: 'New Company', street: 'New Street', reverseCharge: false },
  })
  const pay = async (amount: number) => {
    const { envelope } = await sandbox.call<{ id: number }>(
      'createLink',
      { amount },
      { token: account.apiKey },
    )
    await sandbox.control('POST', `/links/${envelope.data.id}/pay`, { wait: 'accepted' })
  }
  return { sandbox, account, pay }
}

describe('9 getTaxInvoiceList', () => {
  test('9.1–9.4 a list has its message, an array of records and their total number', async ({ sandbox }) => {
    const envelope = await list(sandbox, {})

    expect(envelope).toEqual({
      ResponseCode: 1,
      ResponseMsg: 'List retrived successfully',
      Result: 'True',
      ServerTime: 'CEST',
      data: expect.any(Array),
      totalRecords: expect.any(Number),
    })
    expect(envelope.totalRecords).toBeGreaterThan(envelope.data.length)
  })

  test.for<[statement: string, field: string, value: unknown]>([
    ['9.5 its id', 'sf_id', expect.any(String)],
    ['9.6 the account', 'user_id', shop.id],
    ['9.7 its reference', 'invoice_id', expect.stringMatching(/^202607-sf-.{10}$/)],
    ['9.8 its date', 'invoice_date', '2026-07-01'],
    ['9.9 the billed month, in words', 'service_month', 'June 2026'],
    ["9.10 the platform's fees", 'total_secpaid_fee', expect.any(Number)],
    ["9.11 the payment provider's fees", 'total_psp_fee', expect.any(Number)],
    ['9.12 the VAT', 'vat', expect.any(Number)],
    ['9.13 the company', 'company', shop.billing.company],
    ['9.14 the account holder', 'name', shop.billing.name],
    ['9.15 the street', 'street', shop.billing.street],
    ['9.16 the house number', 'house_no', shop.billing.houseNo],
    ['9.17 the city', 'city', shop.billing.city],
    ['9.18 the country', 'country', shop.billing.country],
    ['9.19 the postal code', 'zipcode', shop.billing.zipcode],
    ['9.20 its time, with seconds', 'created_at', expect.stringMatching(/^2026-07-01 \d\d:\d\d:\d\d$/)],
  ])('%s', async ([, field, value], { sandbox }) => {
    const { data } = await list(sandbox, { date: '2026-06' })

    expect(data).toEqual([expect.objectContaining({ [field]: value })])
  })

  test('9.21–9.22 without page and limit, the first ten are listed', async ({ sandbox }) => {
    const all = await list(sandbox, { limit: 100 })

    expect((await list(sandbox, {})).data).toEqual(all.data.slice(0, 10))
    expect((await list(sandbox, { page: 1, limit: 10 })).data).toEqual(all.data.slice(0, 10))
  })

  test('9.23–9.25 page and limit list every record once, with the same total', async ({ sandbox }) => {
    const all = await list(sandbox, { limit: 100 })

    const pages = []
    for (let page = 1; page <= Math.ceil(all.totalRecords! / 4); page++) {
      pages.push(await list(sandbox, { page, limit: 4 }))
    }

    expect(pages.flatMap(({ data }) => numbers(data))).toEqual(numbers(all.data))
    expect(new Set(pages.map(({ totalRecords }) => totalRecords))).toEqual(new Set([all.data.length]))
    expect(pages[0]!.data).toHaveLength(4)
  })

  test('9.26–9.27 date lists one month, and totalRecords counts what it lists', async ({ sandbox }) => {
    const { data, totalRecords } = await list(sandbox, { date: '2026-05' })

    expect(data.map(({ service_month: month }) => month)).toEqual(['May 2026'])
    expect(totalRecords).toBe(1)
  })

  test('9.28 search filters the list', async ({ sandbox }) => {
    const { invoice_id: search } = (await list(sandbox, {})).data[0]!

    const { data, totalRecords } = await list(sandbox, { search })

    expect(data.map((invoice) => invoice.invoice_id)).toEqual([search])
    expect(totalRecords).toBe(1)
  })

  test.for<[statement: string, body: object, message: string]>([
    ['9.29 page is an integer', { page: 1.5 }, 'page should be an integer'],
    ['9.30 limit is an integer', { limit: 'ten' }, 'limit should be an integer'],
    ['9.31 search is text', { search: 7 }, 'search should be a string'],
    ['9.32 date is YYYY-MM', { date: '06/2026' }, 'date should be a month as YYYY-MM'],
  ])('%s', async ([, body, message], { sandbox }) => {
    expect((await list(sandbox, body)).ResponseMsg).toBe(message)
  })

  test('9.33 an account sees its own invoices only', async ({ sandbox }) => {
    const [mine, others] = [
      await list(sandbox, { limit: 100 }),
      await list(sandbox, { limit: 100 }, courier.apiKey),
    ]

    expect(others.data.length).toBeGreaterThan(0)
    expect(numbers(mine.data).filter((one) => numbers(others.data).includes(one))).toEqual([])
  })

  test('9.34 the VAT is 0 for reverse charge', async ({ sandbox }) => {
    const { data } = await list(sandbox, {}, courier.apiKey)

    expect(courier.billing.reverseCharge).toBe(true)
    expect(new Set(data.map(({ vat }) => vat))).toEqual(new Set([0]))
  })

  test("9.35–9.38 on the 1st, the month before is billed, with the account's address", async () => {
    const { sandbox, account, pay } = await openAtMonthEnd()
    await using _ = sandbox
    await pay(100)
    await pay(50)
    const before = await list(sandbox, {}, account.apiKey)

    await sandbox.control('POST', '/clock/advance', { days: 1 })
    await pay(1000)
    const { data } = await list(sandbox, {}, account.apiKey)

    expect(before.data).toEqual([])
    expect(data).toEqual([
      expect.objectContaining({
        invoice_id: expect.stringMatching(/^202612-sf-/),
        invoice_date: '2026-12-01',
        service_month: 'November 2026',
        total_secpaid_fee: 1.5,
        total_psp_fee: 0.5,
        company: 'New Company',
        street: 'New Street',
        user_id: account.id,
      }),
    ])
    expect(data[0]!.vat).toBeGreaterThan(0)
  })

  test('9.39 each month has its invoice', async () => {
    const { sandbox, account, pay } = await openAtMonthEnd()
    await using _ = sandbox
    await pay(100)
    await sandbox.control('POST', '/clock/advance', { days: 1 })
    await pay(200)
    await sandbox.control('POST', '/clock/advance', { months: 1 })

    const { data } = await list(sandbox, {}, account.apiKey)

    expect(data.map((one) => [one.service_month, one.total_secpaid_fee])).toEqual([
      ['December 2026', 2],
      ['November 2026', 1],
    ])
  })
})
