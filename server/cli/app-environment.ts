import type { Account } from '../domain/account.ts'
import type { StartOptions } from '../options.ts'

/** What an app under test is configured by: the first account's key, and the second as the one it shares with. */
export function appEnvironment(url: string, accounts: readonly Account[]): Readonly<Record<string, string>> {
  const [owner, recipient] = accounts.filter(({ environment }) => environment === 'development')
  return {
    PAYLINK_URL: url,
    ...(owner === undefined ? {} : { PAYLINK_API_KEY: owner.apiKey }),
    ...(recipient === undefined ? {} : { PAYLINK_RECIPIENT_TOKEN: recipient.recipientToken }),
  }
}

/** The environment of a command that is run with a sandbox. A key of some other one would be taken for one of this. */
export function commandEnvironment(
  url: string,
  accounts: readonly Account[],
  { adminToken }: Pick<StartOptions, 'adminToken'>,
): NodeJS.ProcessEnv {
  const { PAYLINK_API_KEY: _key, PAYLINK_RECIPIENT_TOKEN: _token, ...rest } = process.env
  return {
    ...rest,
    ...appEnvironment(url, accounts),
    ...(adminToken !== undefined && { PAYLINK_ADMIN_TOKEN: adminToken }),
  }
}
