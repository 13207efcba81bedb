import type { Account } from '../../../domain/accounts/account.ts'
import { berlinMonth } from '../../../domain/time/calendar.ts'
import { createClock, SYSTEM_CLOCK, type Clock } from '../../../domain/time/clock.ts'
import { accountSubject } from '../../../domain/links/subject.ts'
import type { TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'
import type { Link } from '../../../domain/links/link.ts'
import type { Refund } from '../../../domain/links/refund.ts'
import type { Seed, SeedAccount, SeedClock } from '../../../domain/state/seed.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import * as accountOriginals from '../../../store/repositories/account-originals.ts'
import * as behaviors from '../../../store/repositories/behaviors.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as monthlyRevenue from '../../../store/repositories/monthly-revenue.ts'
import { AccountDirectory } from './account-directory.ts'
import { changeBehaviors } from '../settings/change-behaviors.ts'
import { buildAccount, draftAccount, type AccountDraft } from '../accounts/draft-account.ts'
import { nextAccountId } from '../accounts/account-identity.ts'
import { createAccount } from '../accounts/manage-accounts.ts'
import { runDueJobs } from '../clock/run-due-jobs.ts'
import { seedInvoices } from './seed-invoices.ts'
import { seedLink } from './seed-link.ts'
import { applyClock } from '../clock/set-clock.ts'
import { addErrorPath } from './error-path.ts'

/** What was created from a seed, in the sequence of the seed. */
interface SeedResult {
  readonly accounts: readonly Account[]
  readonly links: readonly Link[]
  readonly refunds: readonly Refund[]
  readonly invoices: readonly TaxInvoice[]
}

/**
 * Loads a seed into an empty database. Its accounts cause no events. The events of its links come before `sandbox.reset`. `clock`
 * is set by a startup option, which overrides the clock of the seed.
 */
export async function loadSeed(
  work: UnitOfWork,
  seed: Seed,
  clock: Instant | undefined,
): Promise<SeedResult> {
  const { db, systemNow } = work
  const from = new Date(systemNow).toISOString()
  const seedClock: SeedClock | undefined = clock === undefined ? seed.clock : { now: clock, mode: 'running' }
  await work.setClock(clockOf(seedClock, from, systemNow))
  const seeded: Account[] = []
  for (const seedAccount of seed.accounts) {
    seeded.push(
      buildAccount(
        newAccount(seedAccount),
        seedAccount.id ?? (await nextAccountId(work, seedAccount.name)),
        seedAccount.name,
      ),
    )
  }
  await accounts.insert(db, seeded)
  await behaviors.save(db, behaviors.SANDBOX_SCOPE, seed.behaviors)
  for (const [index, { id }] of seeded.entries()) {
    await behaviors.save(db, id, seed.accounts[index]?.behaviors ?? {})
  }
  return seedPayments(work, seed, seeded, [])
}

/**
 * Adds a seed to a sandbox that is in use, with the same operations as requests. Jobs that are due run first, so that they do not
 * bill the seed's payments.
 */
export async function addSeed(work: UnitOfWork, seed: Seed): Promise<SeedResult> {
  if (seed.clock) await applyClock(work, clockOf(seed.clock, work.now, work.systemNow))
  await runDueJobs(work, work.now)
  const others = await accounts.list(work.db)
  const seeded: Account[] = []
  for (const [index, seedAccount] of seed.accounts.entries()) {
    const account = await createAccount(work, newAccount(seedAccount)).catch((error: unknown) => {
      throw addErrorPath(`accounts[${index}]`, error)
    })
    const chosen = seedAccount.behaviors ?? {}
    if (Object.keys(chosen).length > 0) await changeBehaviors(work, account.id, chosen)
    seeded.push(account)
  }
  if (Object.keys(seed.behaviors).length > 0) await changeBehaviors(work, undefined, seed.behaviors)
  const added = await seedPayments(work, seed, seeded, others)
  for (const invoice of added.invoices) {
    await work.record({ type: 'invoice.issued', ...accountSubject(invoice.accountId), invoice })
  }
  return added
}

function newAccount(seedAccount: SeedAccount): AccountDraft {
  const { behaviors: _, ...rest } = seedAccount
  return draftAccount(rest)
}

/**
 * Adds links and invoices to accounts of the seed and to existing ones. The history of each link is recorded as events, at the
 * times when it would have happened. Months that have ended are not billed again.
 */
async function seedPayments(
  work: UnitOfWork,
  seed: Seed,
  own: readonly Account[],
  others: readonly Account[],
): Promise<SeedResult> {
  const directory = new AccountDirectory(own, others)
  const invoices = await seedInvoices(work, seed.invoices, directory)
  for (const account of own) {
    const billed = invoices.filter(({ accountId }) => accountId === account.id)
    await accountOriginals.save(work.db, { account, invoices: billed })
  }
  // Links with an id come first, so that no generated id takes one of these ids.
  const withIdsFirst = [...seed.links.entries()].toSorted(
    ([, one], [, other]) => Number(one.id === undefined) - Number(other.id === undefined),
  )
  const seeded = new Map<number, Awaited<ReturnType<typeof seedLink>>>()
  for (const [index, link] of withIdsFirst) {
    seeded.set(index, await seedLink(work, link, `links[${index}]`, directory))
  }
  const inSeedOrder = [...seed.links.keys()].map((index) => seeded.get(index)!)
  const timeline = inSeedOrder
    .flatMap(({ history }) => history)
    .toSorted((one, other) => compare(one.at, other.at))
  for (const { at, event } of timeline) await work.record(event, undefined, at)
  await monthlyRevenue.markBilledBefore(work.db, berlinMonth(work.now))
  return {
    accounts: own,
    links: inSeedOrder.map(({ link }) => link),
    refunds: inSeedOrder.flatMap(({ refund }) => refund ?? []),
    invoices,
  }
}

const compare = (one: Instant, other: Instant): number => Date.parse(one) - Date.parse(other)

/** The clock of a seed. Without a time, the clock continues from `now`. */
function clockOf(wanted: SeedClock | undefined, now: Instant, systemNow: number): Clock {
  if (wanted === undefined) return SYSTEM_CLOCK
  const { mode, offsetMs } = wanted
  return offsetMs === undefined
    ? createClock(mode, wanted.now ?? now, systemNow)
    : { mode: 'running', offsetMs }
}
