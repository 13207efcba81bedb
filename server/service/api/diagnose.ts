import { findHeader } from '../../domain/http/exchange.ts'
import type { Account } from '../../domain/accounts/account.ts'
import type { CallFacts } from '../../domain/diagnostics/call-facts.ts'
import { diagnoseCall } from '../../domain/diagnostics/diagnose-call.ts'
import type { Diagnostic } from '../../domain/diagnostics/diagnostic.ts'
import type { Link } from '../../domain/links/link.ts'
import { toEuros } from '../../domain/money/cents.ts'
import { ApiError, type ErrorDetails } from '../../domain/api/api-error.ts'
import {
  callbackUrlList,
  parseEntries,
  webhookUrlList,
  type TargetEntry,
} from '../../domain/links/targets.ts'
import { operations } from '../../domain/api/operations.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as links from '../../store/repositories/links.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { FORM_TYPE } from './parse-body.ts'
import type { Call } from './call.ts'
import { endpoints } from './endpoints/all-endpoints.ts'

interface CallOutcome {
  readonly account: Account | undefined
  readonly settings: CallFacts['settings']
  /** Whether the call has created a link or refers to one. */
  readonly isAboutLink: boolean
  readonly created: Link | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Finds mistakes in a call. Even a successful call can contain some. */
export async function diagnose(
  work: UnitOfWork,
  call: Call,
  { account, settings, isAboutLink, created }: CallOutcome,
): Promise<Diagnostic[]> {
  const { db } = work
  const { mediaType } = call.body
  const { requestBody } = settings
  const form =
    mediaType === FORM_TYPE && requestBody !== 'json'
      ? tryRead(() => call.body.readForm(requestBody).body as Fields)
      : undefined
  const endpoint = endpoints.get(call.operation)
  const json =
    mediaType === 'application/json'
      ? tryRead(() => (endpoint?.acceptsEmptyBody && call.body.isEmpty ? {} : (call.body.json as Fields)))
      : undefined
  const read = form ?? json
  const body = read && 'fields' in read ? read.fields : undefined
  const payIds = body?.pay_ids ?? body?.pay_id

  return diagnoseCall({
    method: call.method,
    operation: call.operation,
    operations,
    token: call.token,
    hasAuthorization: findHeader(call.headers, 'authorization') !== undefined,
    keyHeader: call.token === '' ? await findKeyHeader(db, call) : undefined,
    key: account?.environment ?? (await classifyToken(db, call.token)),
    mediaType,
    compression: call.body.compression,
    body,
    isForm: form !== undefined,
    jsonError: json && 'error' in json ? json.error : undefined,
    settings,
    fields: endpoint?.fields,
    callbacks: account ? tryParseEntries(body?.callback_url, callbackUrlList(account)) : [],
    targets: account ? tryParseEntries(body?.payment_endpoint, webhookUrlList(account)) : [],
    keysAsRecipients: isAboutLink ? [] : await findKeysInRecipients(db, body?.recipients),
    payments: account && payIds !== undefined ? await findPayments(db, account, payIds) : [],
    ...(created && account ? { created: await inspectCreatedLink(work, account, created) } : {}),
  })
}

async function classifyToken(db: UnitOfWork['db'], token: string): Promise<CallFacts['key']> {
  if (token === '') return 'unknown'
  return (await accounts.withRecipientToken(db, token)) ? 'recipient-token' : 'unknown'
}

/** Returns the fields, or the error that was thrown when they were read. */
function tryRead(read: () => Fields): { readonly fields: Fields } | { readonly error: ErrorDetails } {
  try {
    return { fields: read() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error: error.details }
  }
}

const KEY_HEADER_NAME = /^(x[-_]?)?((api|access|auth)[-_]?(key|token)|apitoken)$|^x[-_]token$/i

/** Matches an API key. The values of most standard headers are longer, shorter, or several words. */
const KEY_PATTERN = /^[\w-]{8,100}$/

/** Returns the name of a header that contains an account's API key, or otherwise of one with a typical name. */
async function findKeyHeader(db: UnitOfWork['db'], { headers }: Call): Promise<string | undefined> {
  const others = headers.filter(([name]) => !/^(authorization|token)$/i.test(name))
  const keyLike = others.filter(([, value]) => KEY_PATTERN.test(withoutBearer(value))).slice(0, MAX_LOOKUPS)
  for (const [name, value] of keyLike) {
    if (await accounts.withApiKey(db, withoutBearer(value))) return name
  }
  return others.find(([name]) => KEY_HEADER_NAME.test(name))?.[0]
}

const withoutBearer = (value: string): string => value.replace(/^Bearer\s+/i, '')

function tryParseEntries(value: unknown, list: Parameters<typeof parseEntries>[1]): TargetEntry[] {
  if (typeof value !== 'string') return []
  try {
    return parseEntries(value, list)
  } catch {
    // The body has too many entries, which the response already says.
    return []
  }
}

const MAX_LOOKUPS = 10

async function findKeysInRecipients(db: UnitOfWork['db'], recipients: unknown): Promise<number[]> {
  if (!Array.isArray(recipients)) return []
  const found: number[] = []
  for (const [index, recipient] of recipients.slice(0, MAX_LOOKUPS).entries()) {
    const token: unknown = (recipient as { token?: unknown } | null)?.token
    if (typeof token === 'string' && (await accounts.withApiKey(db, token))) found.push(index)
  }
  return found
}

async function findPayments(
  db: UnitOfWork['db'],
  account: Account,
  payIds: unknown,
): Promise<CallFacts['payments']> {
  const named: CallFacts['payments'][number][] = []
  for (const payId of parsePayIds(payIds).slice(0, MAX_LOOKUPS)) {
    const link = linkIfOwned(account, await links.withPayId(db, payId))
    const namesake = link ? undefined : linkIfOwned(account, await links.find(db, payId))
    named.push({
      payId,
      isLinkId: namesake !== undefined,
      equalsId: link?.id === payId,
      status: link?.status,
      amount: link && toEuros(link.amount),
    })
  }
  return named
}

const linkIfOwned = ({ id }: Account, link: Link | undefined): Link | undefined =>
  link?.accountId === id ? link : undefined

function parsePayIds(payIds: unknown): number[] {
  if (typeof payIds !== 'string' && typeof payIds !== 'number') return []
  return String(payIds)
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map(Number)
    .filter(Number.isSafeInteger)
}

const REPEATED_LINK_WINDOW_MS = 5_000

/**
 * Finds an earlier link with the same content. Skipped while the clock is frozen, because all links then have the same time.
 */
async function inspectCreatedLink(
  { db, clock }: UnitOfWork,
  account: Account,
  created: Link,
): Promise<NonNullable<CallFacts['created']>> {
  return {
    notifies: account.paymentEndpoint !== '' || created.targets.length > 0,
    repeatedLinkId:
      clock.mode === 'running'
        ? await links.findIdenticalPrevious(db, created, REPEATED_LINK_WINDOW_MS)
        : undefined,
  }
}
