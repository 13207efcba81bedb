import { createHash, randomBytes } from 'node:crypto'
import { EMPTY_BILLING, type Account, type Billing } from '../../domain/accounts/account.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { Seed } from '../../domain/state/seed.ts'
import { nameBasedUuid } from './account-identity.ts'

/** What a new account is to be. What names it follows where it is not given. */
export interface NewAccount extends Omit<Account, 'id' | 'name' | 'billing'> {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly billing: Partial<Billing>
}

type Optional<Shape> = { readonly [Key in keyof Shape]?: Shape[Key] | undefined }

/** An account as far as it was told. */
interface AccountInput extends Optional<Omit<Account, 'billing'>> {
  readonly billing?: Optional<Billing> | undefined
}

export type Secret = 'apiKey' | 'recipientToken'

/** Adds to what was given what every account has that was told nothing. */
export function draftAccount({
  billing = {},
  environment = 'development',
  ...given
}: AccountInput): NewAccount {
  return {
    environment,
    apiKey: createSecret('apiKey', environment),
    recipientToken: createSecret('recipientToken', environment),
    paymentEndpoint: '',
    callbackUrls: [],
    webhookUrls: [],
    bankTransfer: false,
    serviceFee: '1.0',
    ...omitUndefined(given),
    billing: omitUndefined(billing),
  }
}

/** The account that an order is for, once it has what names it. */
export function buildAccount(order: NewAccount, id: string, name: string): Account {
  const { id: _id, name: _name, billing, ...rest } = order
  return { id, name, ...rest, billing: { ...EMPTY_BILLING, company: name, ...billing } }
}

/** Says what it is, as the service's keys of one environment are none of the other. */
export const createSecret = (
  secret: Secret,
  environment: Account['environment'],
  characters = randomBytes(16).toString('hex'),
): string => prefixOf(secret, environment) + characters

function prefixOf(secret: Secret, environment: Account['environment']): string {
  if (secret === 'recipientToken') return 'rcp'
  return environment === 'production' ? 'prod' : 'dev'
}

/** The id and the secrets of an account that is told none: the same for the same name, every time. */
export function deriveIdentity(
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
 * Gives each account of a seed the id and the secrets that it leaves out. They follow from its name, so they are the
 * same after every start and reset, and can be written into tests.
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
