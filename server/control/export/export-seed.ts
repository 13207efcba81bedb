import type { Kysely } from 'kysely'
import type { Account, Billing } from '../../domain/accounts/account.ts'
import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import type { Clock } from '../../domain/time/clock.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import type { Link } from '../../domain/links/link.ts'
import { toEuros } from '../../domain/money/money.ts'
import type { Refund } from '../../domain/links/refund.ts'
import type { SeedInput } from '../../domain/state/seed-input.ts'
import { resolveSeedTargets } from '../../operations/state/seed-link.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as invoices from '../../store/repositories/invoices.ts'
import * as links from '../../store/repositories/links.ts'
import * as refunds from '../../store/repositories/refunds.ts'
import type { Database } from '../../store/schema.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { Problem } from '../requests/problem.ts'
import { MAX_SEED_ENTRIES } from '../../contract/seed/seed-schema.ts'

/** What there is, as a seed that plants it again: all of it, or one account with what is its own. */
export async function exportSeed(
  { db, clock }: UnitOfWork,
  accountId: string | undefined,
): Promise<SeedInput> {
  const filter = accountId === undefined ? {} : { accountId }
  const found = {
    accounts: await involved(db, accountId),
    links: await links.list(db, filter, MAX_SEED_ENTRIES.links + 1),
    invoices: await invoices.list(db, accountId),
  }
  for (const what of ['accounts', 'links', 'invoices'] as const) refuseTooMany(what, found[what].length)

  const asked = new Map((await refunds.list(db, accountId)).map((refund) => [refund.payId, refund]))
  const chosen = await behaviors.byScope(db)
  const call = namesOf(found.accounts)
  const byId = new Map(found.accounts.map((account) => [account.id, account]))
  return {
    accounts: found.accounts.map((account) => accountSeed(account, chosen.get(account.id))),
    links: found.links
      .toReversed()
      .map((link) => linkSeed(link, byId.get(link.accountId)!, asked.get(link.payId), byId, call)),
    invoices: found.invoices
      .toSorted((one, other) => Number(one.sfId) - Number(other.sfId))
      .map((invoice) => invoiceSeed(invoice, byId.get(invoice.accountId)!, call)),
    ...(accountId === undefined
      ? { behaviors: chosen.get(behaviors.SANDBOX_SCOPE) ?? {}, clock: clockSeed(clock) }
      : {}),
  }
}

/** The accounts, or one of them and those that share in its links, which cannot be planted without. */
async function involved(db: Kysely<Database>, accountId: string | undefined): Promise<Account[]> {
  const all = await accounts.list(db)
  if (accountId === undefined) return all
  const others = await links.recipientsOf(db, accountId)
  return all.filter(({ id }) => id === accountId || others.has(id))
}

function refuseTooMany(what: keyof typeof MAX_SEED_ENTRIES, number: number): void {
  if (number <= MAX_SEED_ENTRIES[what]) return
  throw new Problem(
    409,
    'Too much for a seed',
    `A seed has at most ${MAX_SEED_ENTRIES[what]} ${what}, and there are more. Name one account with ?account=<id>, or take a snapshot: POST /_sandbox/v1/snapshots.`,
  )
}

/** What a seed calls an account: its name, where nothing else can be meant by that. */
function namesOf(all: readonly Account[]): (account: Account) => string {
  const taken = new Set<string>(all.map(({ id }) => id))
  const doubtful = new Set<string>()
  for (const { name } of all) (taken.has(name) ? doubtful : taken).add(name)
  return ({ id, name }) => (doubtful.has(name) ? id : name)
}

const accountSeed = (account: Account, chosen: BehaviorChoices | undefined) => ({
  ...account,
  callbackUrls: [...account.callbackUrls],
  webhookUrls: [...account.webhookUrls],
  ...(chosen && { behaviors: chosen }),
})

function linkSeed(
  link: Link,
  owner: Account,
  refund: Refund | undefined,
  byId: ReadonlyMap<string, Account>,
  call: (account: Account) => string,
) {
  return {
    id: link.id,
    payId: link.payId,
    account: call(owner),
    amount: toEuros(link.amount),
    ...(link.note !== '' && { note: link.note }),
    ...(link.kind === 'split' && {
      splitType: link.splitType,
      recipients: link.recipients.map(({ accountId, token, share }) => {
        const party = byId.get(accountId)!
        return { account: call(party), ...(token !== party.recipientToken && { token }), share }
      }),
    }),
    ...(link.callbackUrl !== '' && { callbackUrl: oneUrl(link.callbackUrl) }),
    ...(link.paymentEndpoint !== '' && { paymentEndpoint: link.paymentEndpoint }),
    ...(!resolvesTo(link, owner) && { targets: link.targets.map((target) => ({ ...target })) }),
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

/** A `callbackUrl` is read as a list with commas, of which the first counts. */
const oneUrl = (url: string): string => url.trim().replaceAll(',', '%2C')

/** Whether a link's targets follow from what it names, by the lists that its account has now. */
function resolvesTo({ paymentEndpoint, targets }: Link, owner: Account): boolean {
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

function invoiceSeed(invoice: TaxInvoice, owner: Account, call: (account: Account) => string) {
  const { company, name, street, houseNo, zipcode, city, country } = invoice
  const address = { company, name, street, houseNo, zipcode, city, country }
  const isOwners = Object.entries(address).every(
    ([key, line]) => owner.billing[key as keyof Billing] === line,
  )
  return {
    account: call(owner),
    serviceMonth: invoice.serviceMonth,
    platformFee: toEuros(invoice.platformFee),
    pspFee: toEuros(invoice.pspFee),
    vat: toEuros(invoice.vat),
    sfId: invoice.sfId,
    invoiceId: invoice.invoiceId,
    invoiceDate: invoice.invoiceDate,
    createdAt: invoice.createdAt,
    ...(!isOwners && { billing: address }),
  }
}

/** A clock that runs is told by its distance from the machine's, as the time it shows is over at once. */
const clockSeed = (clock: Clock) =>
  clock.mode === 'frozen'
    ? { mode: clock.mode, now: clock.at }
    : { mode: clock.mode, offsetMs: clock.offsetMs }
