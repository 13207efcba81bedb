import type { Account } from '../../../domain/accounts/account.ts'
import { readFields, recipientTokensIn, type RequestFields } from '../../../domain/api/read-request.ts'
import { errorText } from '../../../domain/api/api-error.ts'
import { MAX_RECIPIENTS } from '../../../domain/links/limits.ts'
import { draftLink, type Link } from '../../../domain/links/link.ts'
import { fromEuros, isWholeCents, type Cents } from '../../../domain/money/cents.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'
import { nameBasedUuid } from '../../operations/accounts/account-identity.ts'
import { createAccount } from '../../operations/accounts/manage-accounts.ts'
import { draftAccount } from '../../operations/accounts/draft-account.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import * as invoices from '../../../store/repositories/invoices.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { Call } from '../call.ts'
import type { UpstreamOutcome } from './answered-call.ts'

const TOKEN_ERRORS: ReadonlySet<string> = new Set([
  errorText('tokenRejected'),
  errorText('tokenMissing'),
  errorText('tokenUnknown'),
])

/**
 * Creates what a call refers to and only the real service has: the owner of the key, the recipients, and the payments or invoices
 * that a successful call has found. Otherwise, the sandbox would refuse nearly every call. If the service has refused the call,
 * creates nothing. The caller must roll this back.
 */
export async function addStandIns(
  work: UnitOfWork,
  call: Call,
  status: number,
  { code, message }: UpstreamOutcome,
): Promise<void> {
  const fields = readFields(call.body.encoded)
  const isKeyRefused = status === 401 || status === 403 || TOKEN_ERRORS.has(message)
  if (call.token === '' || isKeyRefused) return

  const tokens = recipientTokensIn(fields).slice(0, MAX_RECIPIENTS)
  const ownToken = tokens.find((_token, index) => message === errorText('recipientIsOwner', index))
  let owner = await accounts.withApiKey(work.db, call.token)
  if (owner === undefined) {
    owner = await addStandIn(work, call.token, {
      apiKey: call.token,
      callbackUrls: STAND_IN_URLS,
      webhookUrls: STAND_IN_URLS,
      ...(ownToken === undefined ? {} : { recipientToken: ownToken }),
    })
  } else if (ownToken !== undefined) await accounts.save(work.db, { ...owner, recipientToken: ownToken })

  for (const [index, recipientToken] of tokens.entries()) {
    const isRefused = message === errorText('recipientUnknown', index)
    if (isRefused || (await accounts.withRecipientToken(work.db, recipientToken))) continue
    await addStandIn(work, recipientToken, { recipientToken })
  }
  if (code === 1) await addRecords(work, owner, call.operation, fields)
}

/**
 * Creates what a successful call must have found: paid or cancelled links with its `pay_id`s, or an invoice. Leaves out ids of
 * existing links.
 */
async function addRecords(
  { db, now }: UnitOfWork,
  owner: Account,
  operation: string,
  fields: RequestFields,
): Promise<void> {
  const isCancelled = operation === 'sendWebhookViaPayId' && /cancel/i.test(String(fields.status))
  for (const payId of payIdsOf(operation, fields)) {
    const amount = operation === 'refundPayment' ? Number(fields.refund_amount) : 1
    if (!Number.isSafeInteger(payId) || !isWholeCents(amount)) continue
    const link = standInLink(owner, payId, fromEuros(amount), now)
    await links.insert(db, isCancelled ? { ...link, status: 'cancelled' } : link)
  }
  if (operation === 'getTaxInvoiceList' && (await invoices.list(db, owner.id)).length === 0) {
    const [example] = await invoices.list(db, undefined)
    const invoice = { sfId: '1', invoiceId: '202601-sf-standin000', accountId: owner.id }
    const month = /^\d{4}-\d\d$/.exec(String(fields.date))?.[0]
    if (example)
      await invoices.insert(db, [{ ...example, ...invoice, ...(month && { serviceMonth: month }) }])
  }
}

const MAX_PAYMENTS = 100

function payIdsOf(operation: string, fields: RequestFields): readonly number[] {
  if (operation === 'refundPayment') return [Number(fields.pay_id)]
  return operation === 'sendWebhookViaPayId'
    ? String(fields.pay_ids).split(',', MAX_PAYMENTS).map(Number)
    : []
}

const standInLink = (owner: Account, payId: number, amount: Cents, now: Instant): Link => ({
  id: payId,
  payId,
  ...draftLink(owner, {
    amount,
    status: 'paid',
    targets: [{ url: STAND_IN_URLS[0]!, reason: '' }],
    paidBy: 'card',
    paidAt: now,
    createdAt: now,
  }),
})

/** Lists of an account that only the real service knows. Calls refer to their entries by index. */
const STAND_IN_URLS = Array.from({ length: 10 }, (_entry, index) => `https://stand-in.example/${index}`)

const addStandIn = (
  work: UnitOfWork,
  secret: string,
  fields: Parameters<typeof draftAccount>[0],
): Promise<Account> =>
  createAccount(work, draftAccount({ id: nameBasedUuid(`stand-in ${secret}`), name: 'Stand-in', ...fields }))
