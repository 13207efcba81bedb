import { z } from 'zod'
import { monthText, type TaxInvoice } from '../domain/invoice.ts'
import { toEuros } from '../domain/money.ts'
import { wording } from '../domain/refusals.ts'
import { berlinTime } from '../domain/time.ts'
import { getTaxInvoiceList } from '../operations/get-tax-invoice-list.ts'
import { endpoint } from './endpoint.ts'
import { integer, optionalText } from './fields.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

const fromOne = (field: string, otherwise: number) =>
  integer(field)
    .min(1, { error: wording.wrongType(field, 'at least 1') })
    .nullish()
    .transform((value) => value ?? otherwise)

const Body = z.object({
  page: fromOne('page', 1),
  limit: fromOne('limit', 10),
  search: optionalText('search'),
  date: optionalText('date').refine((value) => value === '' || MONTH.test(value), {
    error: wording.wrongType('date', 'a month as YYYY-MM'),
  }),
})

const FIELDS = { numbers: ['page', 'limit'], booleans: [] }

export const getTaxInvoiceListEndpoint = endpoint(Body, FIELDS, async ({ work, caller }, body) => {
  const { page, limit, search, date } = body
  const { invoices, total } = await getTaxInvoiceList(work, caller, { page, limit, search, month: date })
  return { message: 'List retrived successfully', data: invoices.map(present), totalRecords: total }
})

const present = (invoice: TaxInvoice) => ({
  sf_id: invoice.sfId,
  user_id: invoice.accountId,
  invoice_id: invoice.invoiceId,
  invoice_date: invoice.invoiceDate,
  service_month: monthText(invoice.serviceMonth),
  total_secpaid_fee: toEuros(invoice.platformFee),
  total_psp_fee: toEuros(invoice.pspFee),
  vat: toEuros(invoice.vat),
  company: invoice.company,
  name: invoice.name,
  street: invoice.street,
  house_no: invoice.houseNo,
  city: invoice.city,
  country: invoice.country,
  zipcode: invoice.zipcode,
  created_at: berlinTime(invoice.createdAt),
})
