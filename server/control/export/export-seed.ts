import type { Kysely } from 'kysely'
import type { Account, Billing } from '../../domain/accounts/account.ts'
import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import type { Clock } from '../../domain/time/clock.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import type { Link } from '../../domain/links/link.ts'
import { toEuros } from '../../domain/money/cents.ts'
import type { Refund } from '../../domain/links/refund.ts'
import type { SeedInput } from '../../domain/state/seed-input.ts'
import { resolveSeedTargets } from '../../service/operations/seed/seed-link.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as invoices from '../../store/repositories/invoices.ts'
import * as links from '../../store/repositories/links.ts'
import * as refunds from '../../store/repositories/refunds.ts'
import type { Database } from '../../store/schema.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { CONTROL_PATH } from '../../domain/http/control-route.ts'
import { createTurns, mapInTurns } from '../../platform/system/turns.ts'
import { Problem } from '../requests/problem.ts'
import { MAX_SEED_ENTRIES } from '../../contract/seed/seed-schema.ts'

/** Exports the current state as a seed: everything, or one account with its data. */
export async function exportSeed(
  { db, clock }: UnitOfWork,
  accountId: string | undefined,
): Promise<SeedInput> {
  const filter = accountId === undefined ? {} : { accountId }
  assertWithinLimit('links', await links.countUpTo(db, filter, MAX_SEED_ENTRIES.links + 1))
  const contents = {
    accounts: await exportedAccounts(db, accountId),
    links: await readAll(
      (before) => links.list(db, { ...filter, before }, ROWS_PER_PAGE),
      ({ id }) => id,
    ),
    invoices: await invoices.list(db, accountId),
  }
  for (const what of ['accounts', 'invoices'] as const) assertWithinLimit(what, contents[what].length)

  const allRefunds = await readAll(
    (before) => refunds.list(db, { ...filter, before }, ROWS_PER_PAGE),
    ({ payId }) => payId,
  )
  const refundOf = new Map(allRefunds.map((refund) => [refund.payId, refund]))
  const choices = await behaviors.listByScope(db)
  const nameOf = seedNames(contents.accounts)
  const byId = new Map(contents.accounts.map((account) => [account.id, account]))
  return {
    accounts: contents.accounts.map((account) => accountSeed(account, choices.get(account.id))),
    links: await mapInTurns(contents.links.toReversed(), (link) =>
      linkSeed(link, byId.get(link.accountId)!, refundOf.get(link.payId), byId, nameOf),
    ),
    invoices: await mapInTurns(
      contents.invoices.toSorted((one, other) => Number(one.sfId) - Number(other.sfId)),
      (invoice) => invoiceSeed(invoice, byId.get(invoice.accountId)!, nameOf),
    ),
    ...(accountId === undefined
      ? { behaviors: choices.get(behaviors.SANDBOX_SCOPE) ?? {}, clock: clockSeed(clock) }
      : {}),
  }
}

const ROWS_PER_PAGE = 200

/** Reads all pages of a list that is sorted by descending number. Lets other work run in between. */
async function readAll<Item>(
  readPage: (before: number) => Promise<readonly Item[]>,
  numberOf: (item: Item) => number,
): Promise<Item[]> {
  const letOthersRun = createTurns()
  const all: Item[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = await readPage(before)
    all.push(...page)
    if (page.length < ROWS_PER_PAGE) return all
    before = numberOf(page.at(-1)!)
    await letOthersRun()
  }
}

/**
 * All accounts, or one account and the recipients of its links. A seed with links cannot be loaded without their recipients.
 */
export async function exportedAccounts(
  db: Kysely<Database>,
  accountId: string | undefined,
): Promise<Account[]> {
  const all = await accounts.list(db)
  if (accountId === undefined) return all
  const others = await links.recipientsOf(db, accountId)
  return all.filter(({ id }) => id === accountId || others.has(id))
}

function assertWithinLimit(what: keyof typeof MAX_SEED_ENTRIES, number: number): void {
  if (number <= MAX_SEED_ENTRIES[what]) return
  throw new Problem(
    409,
    `A seed has at most ${MAX_SEED_ENTRIES[what]} ${what}, but there are more. Name one account with ?account=<id>, or take a snapshot: POST ${CONTROL_PATH}/snapshots.`,
  )
}

/** A seed refers to an account by its name, or by its id if several accounts have that name. */
function seedNames(all: readonly Account[]): (account: Account) => string {
  const taken = new Set<string>(all.map(({ id }) => id))
  const ambiguous = new Set<string>()
  for (const { name } of all) (taken.has(name) ? ambiguous : taken).add(name)
  return ({ id, name }) => (ambiguous.has(name) ? id : name)
}

export const accountSeed = (account: Account, choices: BehaviorChoices | undefined) => ({
  ...account,
  callbackUrls: [...account.callbackUrls],
  webhookUrls: [...account.webhookUrls],
  ...(choices && { behaviors: choices }),
})

function linkSeed(
  link: Link,
  owner: Account,
  refund: Refund | undefined,
  byId: ReadonlyMap<string, Account>,
  nameOf: (account: Account) => string,
) {
  return {
    id: link.id,
    payId: link.payId,
    account: nameOf(owner),
    amount: toEuros(link.amount),
    ...(link.note !== '' && { note: link.note }),
    ...(link.kind === 'split' && {
      splitType: link.splitType,
      recipients: link.recipients.map(({ accountId, token, share }) => {
        const recipient = byId.get(accountId)!
        return { account: nameOf(recipient), ...(token !== recipient.recipientToken && { token }), share }
      }),
    }),
    ...(link.callbackUrl !== '' && { callbackUrl: escapeCommas(link.callbackUrl) }),
    ...(link.paymentEndpoint !== '' && { paymentEndpoint: link.paymentEndpoint }),
    ...(!resolvesToTargets(link, owner) && { targets: link.targets.map((target) => ({ ...target })) }),
    ...(!link.cancellable && { cancellable: false }),
    ...(link.isQrLink && { isQrLink: true }),
    bankTransfer: link.bankTransfer,
    ...(link.bankStatementDescription !== '' && { bankStatementDescription: link.bankStatementDescription }),
    serviceFee: link.serviceFee,
    createdAt: link.createdAt,
    status: link.status,
    ...(link.paidBy !== null && { paidBy: link.paidBy }),
    ...(link.paidAt !== null && { paidAt: link.paidAt }),
    ...(link.dispute !== null && { dispute: link.dispute }),
    ...(refund && { refund: refundSeed(refund) }),
  }
}

/**
 * In a seed, `callbackUrl` may be a list separated by commas, of which the first URL is used. So a comma inside a URL is escaped.
 */
const escapeCommas = (url: string): string => url.trim().replaceAll(',', '%2C')

/** Whether the link's `paymentEndpoint` would resolve to the same targets today. The account's lists may have changed since. */
function resolvesToTargets({ paymentEndpoint, targets }: Link, owner: Account): boolean {
  try {
    return JSON.stringify(resolveSeedTargets(owner, paymentEndpoint)) === JSON.stringify(targets)
  } catch {
    return false
  }
}

const refundSeed = ({ amount, full, state, requestedAt, decidedAt }: Refund) => ({
  amount: toEuros(amount),
  full,
  state,
  requestedAt,
  ...(decidedAt !== null && { decidedAt }),
})

function invoiceSeed(invoice: TaxInvoice, owner: Account, nameOf: (account: Account) => string) {
  const { company, name, street, houseNo, zipcode, city, country } = invoice
  const address = { company, name, street, houseNo, zipcode, city, country }
  const hasOwnersAddress = Object.entries(address).every(
    ([key, value]) => owner.billing[key as keyof Billing] === value,
  )
  return {
    account: nameOf(owner),
    serviceMonth: invoice.serviceMonth,
    platformFee: toEuros(invoice.platformFee),
    pspFee: toEuros(invoice.pspFee),
    vat: toEuros(invoice.vat),
    sfId: invoice.sfId,
    invoiceId: invoice.invoiceId,
    invoiceDate: invoice.invoiceDate,
    createdAt: invoice.createdAt,
    ...(!hasOwnersAddress && { billing: address }),
  }
}

/** A running clock is exported as an offset from the system clock, because its time changes. */
export const clockSeed = (clock: Clock) =>
  clock.mode === 'frozen'
    ? { mode: clock.mode, now: clock.at }
    : { mode: clock.mode, offsetMs: clock.offsetMs }
