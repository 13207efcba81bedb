import { test as base } from 'vitest'
import { connectSandbox, type Sandbox } from './client/connect-sandbox.ts'
import type { SandboxAccount } from './client/account.ts'
import type { Receiver } from './client/receiver.ts'
import { startSandbox } from './index.ts'

interface Fixtures {
  /** One for each worker, or the one that runs at `PAYLINK_URL`. */
  readonly sandbox: Sandbox
  /** An account of the test's own, named after it, so that it sees the same ids in every run. Removed at its end. */
  readonly account: SandboxAccount
  /** A webhook endpoint, made the account's. Closed at the end of the test. */
  readonly receiver: Receiver
}

/** Vitest's `test`, with a sandbox, an account and a receiver for whoever names them. */
export const test = base.extend<Fixtures>({
  sandbox: [
    // Vitest reads the names of other fixtures from the first parameter.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await using sandbox = await openSandbox()
      await use(sandbox)
    },
    { scope: 'worker' },
  ],
  account: async ({ sandbox, task }, use) => {
    const account = await sandbox.createAccount({ name: nameOf(task.fullName) })
    await use(account)
    await account.delete()
  },
  receiver: async ({ account }, use) => {
    await using receiver = await account.receiver()
    await use(receiver)
  },
})

function openSandbox(): Promise<Sandbox> {
  const { PAYLINK_URL: url, PAYLINK_ADMIN_TOKEN: adminToken } = process.env
  return url === undefined || url === '' ? startSandbox() : connectSandbox(url, { adminToken })
}

const LONGEST_NAME = 200

/** The end of a long name tells tests apart, its beginning is the file. */
const nameOf = (fullName: string): string => fullName.slice(-LONGEST_NAME)
