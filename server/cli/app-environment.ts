import type { Account } from '../domain/account.ts'

/** What an app under test is configured by: the first account's key, and the second as the one it shares with. */
export function appEnvironment(url: string, accounts: readonly Account[]): Readonly<Record<string, string>> {
  const [owner, recipient] = accounts.filter(({ environment }) => environment === 'development')
  return {
    PAYLINK_URL: url,
    ...(owner === undefined ? {} : { PAYLINK_API_KEY: owner.apiKey }),
    ...(recipient === undefined ? {} : { PAYLINK_RECIPIENT_TOKEN: recipient.recipientToken }),
  }
}
