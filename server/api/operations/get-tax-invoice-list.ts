import { z } from 'zod'
import { issue } from '../issue.ts'
import { formatMonth, type TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import { toEuros } from '../../domain/money/money.ts'
import { berlinTime } from '../../domain/time/time.ts'
import { getTaxInvoiceList } from '../../operations/invoices/get-tax-invoice-list.ts'
import { createEndpoint } from '../endpoint.ts'
import { integer, optionalText } from '../fields.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

const positiveInteger = (field: string, otherwise: number) =>
  integer(field)
    .min(1, { error: issue('wrongType', field, 'at least 1') })
    .nullish()
    .transform((value) => value ?? otherwise)

const Body = z.object({
  page: positiveInteger('page', 1).meta({
    description: 'Which page, counted from 1. The first where it is left out.',
    examples: [1],
  }),
  limit: positiveInteger('limit', 10).meta({
    description: 'How many invoices a page has. 10 where it is left out.',
    examples: [10],
  }),
  search: optionalText('search').meta({
    description: 'Text to find in invoice id, month and company.',
    examples: ['july'],
  }),
  date: optionalText('date')
    .refine((value) => value === '' || MONTH.test(value), {
      error: issue('wrongType', 'date', 'a month as YYYY-MM'),
    })
    .meta({ description: 'The month that was billed, as `YYYY-MM`.', examples: ['2026-06'] }),
})

const InvoiceData = z
  .object({
    sf_id: z.string().meta({ description: 'The id of the record.' }),
    user_id: z.string().meta({ description: 'The id of the account that is billed.' }),
    invoice_id: z
      .string()
      .meta({ description: 'The number of the invoice, `YYYYMM-sf-` and ten characters.' }),
    invoice_date: z.string().meta({ description: 'When it was issued, as `YYYY-MM-DD`.' }),
    service_month: z.string().meta({ description: 'The month that is billed, like `June 2026`.' }),
    total_secpaid_fee: z.number().meta({ description: "The platform's fees, in euros." }),
    total_psp_fee: z.number().meta({ description: "The payment provider's fees, in euros." }),
    vat: z.number().meta({ description: 'The VAT, in euros; 0 where the customer owes it.' }),
    company: z.string().meta({ description: 'Who is billed: the company.' }),
    name: z.string().meta({ description: 'Who is billed: the person.' }),
    street: z.string().meta({ description: 'The street of the address.' }),
    house_no: z.string().meta({ description: 'The number of the house.' }),
    city: z.string().meta({ description: 'The city.' }),
    country: z.string().meta({ description: 'The country.' }),
    zipcode: z.string().meta({ description: 'The postal code.' }),
    created_at: z.string().meta({ description: 'When the record was made, on the clock of Berlin.' }),
  })
  .meta({ id: 'TaxInvoice', description: 'The fees of one month.' })

export const getTaxInvoiceListEndpoint = createEndpoint({
  summary: 'List tax invoices',
  description: "Gives the account's monthly invoices of service fees, newest first, a page at a time.",
  body: Body,
  fields: { numbers: ['page', 'limit'], booleans: [] },
  message: 'List retrived successfully',
  resultFields: {
    data: z.array(InvoiceData).meta({ description: 'The invoices of this page.' }),
    totalRecords: z.int().meta({ description: 'How many there are on all pages.' }),
  },
  errors: [],
  assumptions: ['invoiceMonth', 'invoiceSearch', 'invoiceFees'],

  async answer({ work, caller }, { page, limit, search, date }) {
    const { invoices, total } = await getTaxInvoiceList(work, caller, { page, limit, search, month: date })
    return { data: invoices.map(presentInvoice), totalRecords: total }
  },
})

const presentInvoice = (invoice: TaxInvoice): z.output<typeof InvoiceData> => ({
  sf_id: invoice.sfId,
  user_id: invoice.accountId,
  invoice_id: invoice.invoiceId,
  invoice_date: invoice.invoiceDate,
  service_month: formatMonth(invoice.serviceMonth),
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
