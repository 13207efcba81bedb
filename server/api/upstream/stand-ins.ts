import { errorText } from '../../domain/api/api-error.ts'
import { MAX_RECIPIENTS } from '../../domain/links/limits.ts'
import { isObject, isRecord } from '../../domain/text/is-object.ts'
import { nameBasedUuid } from '../../operations/accounts/account-identity.ts'
import { createAccount } from '../../operations/accounts/accounts.ts'
import { draftAccount } from '../../operations/accounts/draft-account.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { findAccountByToken } from '../authenticate.ts'
import type { RawBody } from '../body.ts'
import type { Call } from '../call.ts'
import type { Verdict } from './answered-call.ts'

const TOKEN_ERRORS: ReadonlySet<string> = new Set([
  errorText('tokenRejected'),
  errorText('tokenMissing'),
  errorText('tokenUnknown'),
])

/**
 * Creates the accounts that a call names and that only the real environment knows: the owner of the key, and the
 * recipients. Without them, the sandbox would refuse nearly every call of that environment. An account that the
 * environment refused is left out. The caller must roll this back.
 */
export async function addStandIns(
  work: UnitOfWork,
  call: Call,
  status: number,
  { message }: Verdict,
): Promise<void> {
  const isKeyRefused = status === 401 || status === 403 || TOKEN_ERRORS.has(message)
  if (call.token === '' || isKeyRefused) return

  const tokens = recipientTokens(call.body)
  const ownToken = tokens.find((_token, index) => message === errorText('recipientIsOwner', index))
  const owner = await findAccountByToken(work, call.token)
  if (owner === undefined) {
    await addStandIn(work, call.token, {
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
}

/** The lists of an account that the sandbox does not know. Calls name their entries by index. */
const STAND_IN_URLS = Array.from({ length: 10 }, (_entry, index) => `https://stand-in.example/${index}`)

const addStandIn = (
  work: UnitOfWork,
  secret: string,
  fields: Parameters<typeof draftAccount>[0],
): Promise<unknown> =>
  createAccount(work, draftAccount({ id: nameBasedUuid(`stand-in ${secret}`), name: 'Stand-in', ...fields }))

/** The recipient tokens in a body, JSON or form. An entry without one has an empty token. */
function recipientTokens(body: RawBody): string[] {
  const recipients = readFields(body).recipients
  return (isObject(recipients) ? Object.values(recipients) : [])
    .slice(0, MAX_RECIPIENTS)
    .map((recipient) => (isRecord(recipient) && typeof recipient.token === 'string' ? recipient.token : ''))
}

function readFields(body: RawBody): Record<string, unknown> {
  try {
    return (body.mediaType === 'application/json' ? body.json : body.form) as Record<string, unknown>
  } catch {
    return {}
  }
}
