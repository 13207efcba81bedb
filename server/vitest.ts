import type { SandboxAccount } from './client/account.ts'
import { eventLine, diagnosticLine } from './format/terminal-lines.ts'
import { type Sandbox, connectSandbox } from './client/connect-sandbox.ts'
import type { Receiver } from './client/receiver.ts'
import { test as base } from 'vitest'
import { startSandbox } from './index.ts'
import { SandboxError } from './client/request.ts'

const MAX_FOUND = 10

const MAX_EVENTS = 25

/** What an account saw of a failed test: its newest events and its diagnostics, one line each. */
export async function explainTestFailure(account: SandboxAccount): Promise<string> {
  try {
    const found = await account.diagnostics({ limit: MAX_FOUND })
    const events = (await account.events({ limit: MAX_EVENTS })).filter(
      ({ type }) => type !== 'diagnostic.found',
    )
    return [
      `The newest events of the account ${account.name}:`,
      ...events.map(eventLine),
      ...(found.length === 0 ? [] : ['Diagnostics:']),
      ...found.map(diagnosticLine),
    ].join('\n')
  } catch (error) {
    // The test may have deleted its account.
    return `The events of the test cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

interface Fixtures {
  /** One sandbox for each worker, or the one at `PAYLINK_URL`. */
  readonly sandbox: Sandbox
  /**
   * An account for this test. It has the name of the test, so that it gets the same ids in every run. A sandbox at
   * `PAYLINK_URL` keeps it until the next run, for its inspector and its report.
   */
  readonly account: SandboxAccount
  /** A webhook endpoint, set as the payment endpoint of the account. Closed at the end of the test. */
  readonly receiver: Receiver
}

/** Vitest's `test` with the fixtures `sandbox`, `account` and `receiver`. */
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
    const name = nameOf(task)
    if (runsElsewhere()) await deletePreviousAccounts(sandbox, name)
    const account = await sandbox.createAccount({ name })
    made.add(account.id)
    await use(account)
    if (task.result?.state === 'fail') console.error(await explainTestFailure(account))
    if (!runsElsewhere()) await account.delete().catch(ignoreIfGone)
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

/** The accounts of this run. Tests with the same name must not delete each other's account. */
const made = new Set<string>()

/** Deletes the accounts that the previous run left. */
async function deletePreviousAccounts(sandbox: Sandbox, name: string): Promise<void> {
  const left = (await sandbox.accounts()).filter((account) => account.name === name && !made.has(account.id))
  for (const account of left) await account.delete().catch(ignoreIfGone)
}

/** Ignores that an account is gone. The test may have deleted it, or reset the sandbox. */
function ignoreIfGone(error: unknown): void {
  if (!(error instanceof SandboxError) || error.status !== 404) throw error
}

const LONGEST_NAME = 200

interface Named {
  readonly name: string
  readonly suite?: Named | undefined
  readonly file?: Named
}

/**
 * The name of a test's account: its file, suites and name. A long name keeps its end, which differs between tests.
 */
function nameOf({ name, suite, file }: Named): string {
  const names = [name]
  for (let outer = suite; outer; outer = outer.suite) names.unshift(outer.name)
  return [file?.name ?? '', ...names].join(' > ').slice(-LONGEST_NAME)
}
