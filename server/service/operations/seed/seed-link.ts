import type { Account } from '../../../domain/accounts/account.ts'
import { linkSubject } from '../../../domain/links/subject.ts'
import type { SandboxEvent } from '../../../domain/events/event.ts'
import { payIdFor, findIdRange } from '../../../domain/links/id-range.ts'
import { draftLink, type DraftedLink, type Link, type Recipient } from '../../../domain/links/link.ts'
import type { Refund } from '../../../domain/links/refund.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import type { SeedLink, SeedRecipient } from '../../../domain/state/seed.ts'
import { splitPayment } from '../../../domain/money/split.ts'
import {
  callbackUrlList,
  resolveTargets,
  webhookUrlList,
  type Target,
} from '../../../domain/links/targets.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'
import * as links from '../../../store/repositories/links.ts'
import * as refunds from '../../../store/repositories/refunds.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { AccountDirectory } from './account-directory.ts'
import { activeBehaviors } from '../accounts/caller.ts'
import { insertWithNextId, nextLinkId } from '../links/insert-link.ts'
import { withErrorPath } from './error-path.ts'

interface SeededLink {
  readonly link: Link
  readonly refund: Refund | undefined
  /** The events that led to the state of the link. */
  readonly history: readonly TimedEvent[]
}

interface TimedEvent {
  readonly at: Instant
  readonly event: SandboxEvent
}

/** Creates a link in the state that a seed describes. Sends no webhook. */
export async function seedLink(
  work: UnitOfWork,
  seed: SeedLink,
  path: string,
  directory: AccountDirectory,
): Promise<SeededLink> {
  const owner = directory.byIdOrName(`${path}.account`, seed.account)
  assertDevelopment(owner, `${path}.account`)
  const link = await storeLink(work, seed, path, owner, buildLink(work, seed, path, owner, directory))
  const refund = buildRefund(seed, link)
  if (refund) await refunds.insert(work.db, refund)
  return { link, refund, history: buildHistory(link, refund) }
}

function buildLink(
  work: UnitOfWork,
  seed: SeedLink,
  path: string,
  owner: Account,
  directory: AccountDirectory,
): DraftedLink {
  const byTransfer = seed.status === 'awaiting-transfer' || seed.paidBy === 'bank-transfer'
  const createdAt = seed.createdAt ?? seed.paidAt ?? work.now
  const isPaid = seed.status === 'paid'
  const { kind = seed.recipients.length > 0 ? 'split' : 'basic', paymentEndpoint = '' } = seed
  return draftLink(owner, {
    amount: seed.amount,
    note: seed.note,
    status: seed.status,
    kind,
    splitType: seed.splitType,
    recipients: buildRecipients(seed, owner, path, directory),
    cancellable: seed.cancellable,
    isQrLink: seed.isQrLink,
    bankTransfer: seed.bankTransfer ?? (byTransfer || owner.bankTransfer),
    bankStatementDescription: seed.bankStatementDescription,
    serviceFee: seed.serviceFee,
    callbackUrl: withErrorPath(`${path}.callbackUrl`, () => resolveCallback(owner, seed.callbackUrl ?? '')),
    paymentEndpoint,
    targets:
      seed.targets ??
      withErrorPath(`${path}.paymentEndpoint`, () => resolveSeedTargets(owner, paymentEndpoint)),
    paidBy: isPaid ? (seed.paidBy ?? 'card') : null,
    paidAt: isPaid ? (seed.paidAt ?? createdAt) : null,
    dispute: seed.dispute,
    createdAt,
  })
}

/** In a seed, an index past the end of a list is always an error, whatever the behavior `indexOutOfRange` is. */
const outOfRange = (): 'refuse' => 'refuse'

const resolveCallback = (owner: Account, callbackUrl: string): string =>
  resolveTargets(callbackUrl, callbackUrlList(owner), { outOfRange })[0]?.url ?? ''

/** Resolves a `paymentEndpoint` with the current webhook URLs of the account. */
export const resolveSeedTargets = (owner: Account, paymentEndpoint: string): Target[] =>
  resolveTargets(paymentEndpoint, webhookUrlList(owner), { outOfRange })

function buildRecipients(
  { amount, splitType = 'normal', recipients }: SeedLink,
  owner: Account,
  path: string,
  directory: AccountDirectory,
): Recipient[] {
  const parties = recipients.map((recipient, index) =>
    findRecipient(recipient, owner, `${path}.recipients[${index}]`, directory),
  )
  const shares = recipients.map(({ share }) => share)
  const payout = withErrorPath(`${path}.recipients`, () => splitPayment(amount, splitType, shares))
  return recipients.map(({ token, share }, index) => ({
    accountId: parties[index]!.id,
    token: token ?? parties[index]!.recipientToken,
    share,
    amount: payout.recipients[index]!,
  }))
}

function findRecipient(
  { account, token }: SeedRecipient,
  owner: Account,
  path: string,
  directory: AccountDirectory,
): Account {
  const recipient =
    account === undefined
      ? directory.byRecipientToken(`${path}.token`, token ?? '')
      : directory.byIdOrName(`${path}.account`, account)
  assertDevelopment(recipient, path)
  if (recipient.id === owner.id) throw apiError('linkOwnerIsRecipient').at(path)
  return recipient
}

function assertDevelopment({ name, environment }: Account, path: string): void {
  if (environment === 'development') return
  throw apiError('recipientIsProduction', name).at(path)
}

async function storeLink(
  work: UnitOfWork,
  { id, payId }: SeedLink,
  path: string,
  owner: Account,
  described: DraftedLink,
): Promise<Link> {
  const { db } = work
  const relation = (await activeBehaviors(work, owner.id)).settings.payId
  if (id !== undefined && (await links.find(db, id))) throwLinkTaken(`${path}.id`, `the id ${id}`)
  if (payId !== undefined && (await links.withPayId(db, payId)))
    throwLinkTaken(`${path}.payId`, `the payId ${payId}`)
  if (id === undefined && payId === undefined) return insertWithNextId(work, owner, described, relation)

  const number = id ?? (await nextLinkId(work, owner)).id
  const link = { id: number, payId: payId ?? payIdFor(number, relation, findIdRange(number)), ...described }
  if (!(await links.insert(db, link)))
    throwLinkTaken(path, `the payId ${link.payId}, which follows from the id,`)
  return link
}

function throwLinkTaken(path: string, takenId: string): never {
  throw apiError('linkTaken', takenId).at(path)
}

function buildRefund({ refund }: SeedLink, link: Link): Refund | undefined {
  if (refund === undefined) return undefined
  const { amount = link.amount, full = amount === link.amount, state } = refund
  const requestedAt = refund.requestedAt ?? link.paidAt ?? link.createdAt
  return {
    payId: link.payId,
    linkId: link.id,
    accountId: link.accountId,
    amount,
    full,
    state,
    requestedAt,
    decidedAt: state === 'pending' ? null : (refund.decidedAt ?? requestedAt),
  }
}

/** The events that would have brought the link into its state. */
function buildHistory(link: Link, refund: Refund | undefined): TimedEvent[] {
  const about = linkSubject(link)
  const { status, paidBy, dispute, createdAt } = link
  const history: TimedEvent[] = []
  // A payment may be earlier than its link, because the clock was set back. Its event then gets the time of the previous event.
  const addEvent = (event: SandboxEvent, at: Instant): void => {
    const before = history.at(-1)?.at ?? at
    history.push({ event, at: at < before ? before : at })
  }
  const unused: Link = { ...link, status: 'unused', paidBy: null, paidAt: null, dispute: null }
  addEvent({ type: 'link.created', ...about, link: unused }, createdAt)

  const entryPoint = 'control'
  if (status === 'awaiting-transfer' || paidBy === 'bank-transfer') {
    addEvent({ type: 'bank_transfer.initiated', ...about, entryPoint }, createdAt)
  }
  if (status === 'cancelled') addEvent({ type: 'link.cancelled', ...about, entryPoint }, createdAt)
  if (status === 'deleted') addEvent({ type: 'link.deleted', ...about, entryPoint }, createdAt)
  const paidAt = link.paidAt ?? createdAt
  if (paidBy !== null) {
    addEvent({ type: 'link.paid', ...about, entryPoint, method: paidBy, amount: link.amount }, paidAt)
  }
  if (refund) {
    const { amount, full, state, requestedAt, decidedAt } = refund
    addEvent({ type: 'refund.requested', ...about, amount, full }, requestedAt)
    if (state !== 'pending')
      addEvent({ type: `refund.${state}`, ...about, amount, full }, decidedAt ?? requestedAt)
  }
  if (dispute !== null) {
    const last = refund?.decidedAt ?? refund?.requestedAt ?? paidAt
    addEvent({ type: 'dispute.opened', ...about }, last)
    if (dispute !== 'open') addEvent({ type: 'dispute.closed', ...about, outcome: dispute }, last)
  }
  return history
}
