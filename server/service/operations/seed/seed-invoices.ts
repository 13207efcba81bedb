import type { Account } from '../../../domain/accounts/account.ts'
import { omitUndefined } from '../../../domain/text/omit-undefined.ts'
import { computeVat } from '../../../domain/money/fees.ts'
import type { TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import type { SeedInvoice } from '../../../domain/state/seed.ts'
import * as idBlocks from '../../../store/repositories/id-blocks.ts'
import * as invoices from '../../../store/repositories/invoices.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { AccountDirectory } from './account-directory.ts'
import { draftInvoice } from '../invoices/draft-invoice.ts'

/** Adds the tax invoices of a seed. An account may have only one for each month. */
export async function seedInvoices(
  { db }: UnitOfWork,
  entries: readonly SeedInvoice[],
  directory: AccountDirectory,
): Promise<TaxInvoice[]> {
  if (entries.length === 0) return []
  const existing = await invoices.list(db, undefined)
  const taken = new Set(existing.flatMap(uniqueKeys))
  const number = createNumbering(db, new Set(entries.map(({ sfId }) => sfId)))

  const seeded: TaxInvoice[] = []
  for (const [index, invoice] of entries.entries()) {
    const path = `invoices[${index}]`
    const account = directory.byIdOrName(`${path}.account`, invoice.account)
    const added = buildInvoice(invoice, account, invoice.sfId ?? (await number(account)))
    for (const key of uniqueKeys(added)) {
      if (taken.has(key)) throw apiError('invoiceTaken', key).at(path)
      taken.add(key)
    }
    seeded.push(added)
  }
  await invoices.insert(db, seeded)
  return seeded
}

/** Numbers new invoices, and skips numbers that the seed contains. */
function createNumbering(db: UnitOfWork['db'], reserved: ReadonlySet<string | undefined>) {
  const next = new Map<number | undefined, number>()
  return async ({ id }: Account): Promise<string> => {
    const ids = (await idBlocks.find(db, id, 'first'))?.ids
    let number = next.get(ids?.first) ?? Number(await invoices.nextInvoiceNumber(db, ids))
    while (reserved.has(String(number))) number++
    next.set(ids?.first, number + 1)
    return String(number)
  }
}

/** The keys of an invoice that must be unique, in words for an error message. */
const uniqueKeys = ({ sfId, invoiceId, accountId, serviceMonth }: TaxInvoice): string[] => [
  `the sfId ${sfId}`,
  `the invoiceId ${invoiceId}`,
  `${serviceMonth} for account ${accountId}`,
]

function buildInvoice(seed: SeedInvoice, account: Account, sfId: string): TaxInvoice {
  const { serviceMonth, platformFee, pspFee, invoiceId, invoiceDate, createdAt, billing = {} } = seed
  const { vat = computeVat(platformFee + pspFee, account.billing.reverseCharge) } = seed
  return {
    ...draftInvoice(account, serviceMonth, { platformFee, pspFee, vat }, sfId),
    ...omitUndefined(billing),
    ...omitUndefined({ invoiceId, invoiceDate, createdAt }),
  }
}
