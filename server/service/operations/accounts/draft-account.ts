import { createHash, randomBytes } from 'node:crypto'
import { EMPTY_BILLING, type Account, type Billing } from '../../../domain/accounts/account.ts'
import { omitUndefined } from '../../../domain/text/omit-undefined.ts'
import type { Seed } from '../../../domain/state/seed.ts'
import { nameBasedUuid } from './account-identity.ts'

/** A new account. If id and name are missing, they are generated. */
export interface AccountDraft extends Omit<Account, 'id' | 'name' | 'billing'> {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly billing: Partial<Billing>
}

type Optional<Shape> = { readonly [Key in keyof Shape]?: Shape[Key] | undefined }

/** The fields of an account that a request or a seed contains. */
interface AccountInput extends Optional<Omit<Account, 'billing'>> {
  readonly billing?: Optional<Billing> | undefined
}

type Secret = 'apiKey' | 'recipientToken'

/** Adds the defaults of a new account. */
export function draftAccount({
  billing = {},
  environment = 'development',
  ...input
}: AccountInput): AccountDraft {
  return {
    environment,
    apiKey: createSecret('apiKey', environment),
    recipientToken: createSecret('recipientToken', environment),
    paymentEndpoint: '',
    callbackUrls: [],
    webhookUrls: [],
    bankTransfer: false,
    serviceFee: '1.0',
    ...omitUndefined(input),
    billing: omitUndefined(billing),
  }
}

/** Builds the account from its fields, id and name. */
export function buildAccount(account: AccountDraft, id: string, name: string): Account {
  const { id: _id, name: _name, billing, ...rest } = account
  return { id, name, ...rest, billing: { ...EMPTY_BILLING, company: name, ...billing } }
}

/** Creates a key or a token. Its prefix shows the kind and the environment, because a key is valid in one environment only. */
export const createSecret = (
  secret: Secret,
  environment: Account['environment'],
  characters = randomBytes(16).toString('hex'),
): string => secretPrefix(secret, environment) + characters

function secretPrefix(secret: Secret, environment: Account['environment']): string {
  if (secret === 'recipientToken') return 'rcp'
  return environment === 'production' ? 'prod' : 'dev'
}

/** Derives the id and the secrets of an account from its name. */
function deriveIdentity(
  name: string,
  environment: Account['environment'] = 'development',
  id = nameBasedUuid(name),
): Pick<Account, 'id' | Secret> {
  return {
    id,
    apiKey: createSecret('apiKey', environment, digest(`apiKey ${id} ${name}`)),
    recipientToken: createSecret('recipientToken', environment, digest(`recipientToken ${id} ${name}`)),
  }
}

/**
 * Adds the id and the secrets that an account of a seed leaves out. They are derived from its name, so they are the same after
 * every start and reset, and tests can contain them.
 */
export const withStableIdentities = (seed: Seed): Seed => ({
  ...seed,
  accounts: seed.accounts.map((account) => ({
    ...account,
    ...deriveIdentity(account.name, account.environment, account.id),
    ...omitUndefined({ apiKey: account.apiKey, recipientToken: account.recipientToken }),
  })),
})

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
