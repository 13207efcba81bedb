import { test as base } from 'vitest'
import { connectSandbox, type Sandbox } from './client/connect-sandbox.ts'
import type { SandboxAccount } from './client/account.ts'
import type { Receiver } from './client/receiver.ts'
import { startSandbox } from './index.ts'

interface Fixtures {
  /** One for each worker, or the one that runs at `PAYLINK_URL`. */
  readonly sandbox: Sandbox
  /**
   * An account of the test's own, named after it, so that it sees the same ids in every run. A sandbox at `PAYLINK_URL`
   * keeps it until the next run, for its inspector and its report.
   */
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
    const name = nameOf(task.fullName)
    if (runsElsewhere()) await removeLeft(sandbox, name)
    const account = await sandbox.createAccount({ name })
    await use(account)
    if (!runsElsewhere()) await account.delete()
  },
  receiver: async ({ account }, use) => {
    await using receiver = await account.receiver()
    await use(receiver)
  },
})

const runsElsewhere = (): boolean => (process.env.PAYLINK_URL ?? '') !== ''

const openSandbox = (): Promise<Sandbox> =>
  runsElsewhere()
    ? connectSandbox(process.env.PAYLINK_URL!, { adminToken: process.env.PAYLINK_ADMIN_TOKEN })
    : startSandbox()

/** Takes away what the run before has left. */
async function removeLeft(sandbox: Sandbox, name: string): Promise<void> {
  const left = (await sandbox.accounts()).filter((account) => account.name === name)
  for (const account of left) await account.delete()
}

const LONGEST_NAME = 200

/** The end of a long name tells tests apart, its beginning is the file. */
const nameOf = (fullName: string): string => fullName.slice(-LONGEST_NAME)
