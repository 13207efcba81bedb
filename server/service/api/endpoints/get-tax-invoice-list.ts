import { z } from 'zod'
import { refuse } from '../refuse.ts'
import { formatMonth, matchesInvoice, type TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'
import { toEuros } from '../../../domain/money/cents.ts'
import { berlinTime } from '../../../domain/time/berlin-time.ts'
import type { BehaviorSettings } from '../../../domain/behaviors/behavior.ts'
import * as invoices from '../../../store/repositories/invoices.ts'
import { defineEndpoint } from '../endpoint.ts'
import { assume } from '../assumed.ts'
import { integer, optionalText, serviceTime, withDefault } from '../fields.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

const positiveInteger = (field: string, defaultValue: number) =>
  withDefault(integer(field).min(1, { error: refuse('wrongType', field, 'at least 1') }), defaultValue).apply(
    assume,
    'ownWording',
    'minimum',
  )

const Body = z.object({
  page: positiveInteger('page', 1).meta({
    description: 'The page, counted from 1.',
    examples: [1],
  }),
  limit: positiveInteger('limit', 10).meta({
    description: 'The number of invoices on a page.',
    examples: [10],
  }),
  search: optionalText('search')
    .meta({
      description: 'Text to search for in invoice id, month and company.',
      examples: ['july'],
    })
    .apply(assume, 'invoiceSearch', 'description'),
  date: optionalText('date')
    .refine((value) => value === '' || MONTH.test(value), {
      error: refuse('wrongType', 'date', 'a month as YYYY-MM'),
    })
    .meta({
      description: 'The month. `invoiceMonth` decides which.',
      pattern: MONTH.source,
      examples: ['2026-06'],
    })
    .apply(assume, 'invoiceMonth', 'description'),
})

const InvoiceData = z
  .object({
    sf_id: z.string().meta({ description: 'The id of the record.' }),
    user_id: z.string().meta({ description: 'The id of the billed account.', format: 'uuid' }),
    invoice_id: z
      .string()
      .meta({
        description: 'The number of the invoice: the month of issue, `-sf-` and ten characters.',
        pattern: String.raw`^\d{6}-sf-.{10}$`,
        examples: ['202607-sf-179DB98097'],
      })
      .apply(assume, 'invoiceNumbers', 'description'),
    invoice_date: z.string().meta({ description: 'The date of issue.', format: 'date' }),
    service_month: z.string().meta({
      description: 'The billed month: its name in English, and the year.',
      pattern: String.raw`^[A-Z][a-z]+ \d{4}$`,
      examples: ['June 2026'],
    }),
    total_secpaid_fee: z.number().meta({ description: "The platform's fees, in euros." }),
    total_psp_fee: z.number().meta({ description: "The payment provider's fees, in euros." }),
    vat: z.number().meta({ description: 'The VAT, in euros. 0 with reverse charge.' }),
    company: z.string().meta({ description: 'The billed company.' }),
    name: z.string().meta({ description: 'The billed person.' }),
    street: z.string().meta({ description: 'The street of the address.' }),
    house_no: z.string().meta({ description: 'The house number.' }),
    city: z.string().meta({ description: 'The city.' }),
    country: z.string().meta({ description: 'The country.' }),
    zipcode: z.string().meta({ description: 'The postal code.' }),
    created_at: serviceTime
      .meta({ description: 'When the record was created, in Berlin time.' })
      .apply(assume, 'serverTime', 'description'),
  })
  .meta({ id: 'TaxInvoice', description: 'The fees of one month.' })

export const getTaxInvoiceListEndpoint = defineEndpoint({
  summary: 'List tax invoices',
  description: "Returns one page of the account's monthly invoices for service fees, newest first.",
  body: Body,
  fieldTypes: { numbers: ['page', 'limit'], booleans: [] },
  message: 'List retrived successfully',
  resultFields: {
    data: z.array(InvoiceData).meta({ description: 'The invoices of this page.' }),
    totalRecords: z.int().meta({ description: 'The number of invoices on all pages.' }),
  },
  errors: [],
  assumptions: [
    'emptyBody',
    'invoiceMonth',
    'invoiceSearch',
    'invoiceOrder',
    'invoiceFees',
    'invoiceNumbers',
  ],

  async answer({ work, caller: { account, behaviors } }, { page, limit, search, date: month }) {
    const filter = month === '' ? undefined : behaviors.dependOn('invoiceMonth')
    if (search !== '') behaviors.markAssumptions('invoiceSearch')

    const all = await invoices.list(work.db, account.id)
    const matches = all.filter(
      (invoice) =>
        (filter === undefined || monthOf(invoice, filter) === month) && matchesInvoice(invoice, search),
    )
    if (matches.length > 0) behaviors.markAssumptions('invoiceFees', 'invoiceNumbers', 'serverTime')
    if (matches.length > 1 || page > 1) behaviors.markAssumptions('invoiceOrder')
    const onPage = matches.slice((page - 1) * limit, page * limit)
    return { data: onPage.map(presentInvoice), totalRecords: matches.length }
  },
})

const monthOf = (
  { serviceMonth, invoiceDate }: TaxInvoice,
  filter: BehaviorSettings['invoiceMonth'],
): string => (filter === 'billed' ? serviceMonth : invoiceDate.slice(0, 7))

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
