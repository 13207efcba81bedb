import { variableIn } from '../platform/system/environment.ts'
import type { SandboxAccount } from '../client/account.ts'
import type { Sandbox } from '../client/connect-sandbox.ts'
import { SandboxError } from '../contract/sandbox-error.ts'
import { diagnosticLine, eventLine } from '../contract/format/terminal-lines.ts'
import { forTerminal } from '../contract/format/terminal-text.ts'
import { connectSandbox, startSandbox } from './index.ts'

const MAX_FOUND = 10

const MAX_EVENTS = 25

const LONGEST_NAME = 200

const runsElsewhere = (): boolean => variableIn(process.env, 'PAYLINK_URL') !== undefined

/** The sandbox of a test worker: the sandbox at `PAYLINK_URL`, otherwise a new one. */
export const openTestSandbox = (): Promise<Sandbox> =>
  runsElsewhere()
    ? connectSandbox(variableIn(process.env, 'PAYLINK_URL')!, {
        adminToken: variableIn(process.env, 'PAYLINK_ADMIN_TOKEN'),
      })
    : startSandbox()

/**
 * Creates an account with the name of a test: its file, suites and title. A long name is cut at the beginning, because its end
 * differs between tests. Deletes the account of the previous run.
 */
export async function createTestAccount(
  sandbox: Sandbox,
  testPath: readonly string[],
): Promise<SandboxAccount> {
  const name = testPath.join(' > ').slice(-LONGEST_NAME)
  if (runsElsewhere()) await deletePreviousAccounts(sandbox, name)
  const account = await sandbox.createAccount({ name })
  createdIds.add(account.id)
  return account
}

/** Deletes the account of a test that has ended. A sandbox at `PAYLINK_URL` keeps the account for the inspector. */
export async function deleteTestAccount(account: SandboxAccount): Promise<void> {
  if (!runsElsewhere()) await account.delete().catch(ignoreIfGone)
}

/** The account names of this run. A test must not delete the account of another test with the same name. */
const createdIds = new Set<string>()

/** Deletes the accounts that the previous run left. */
async function deletePreviousAccounts(sandbox: Sandbox, name: string): Promise<void> {
  const left = (await sandbox.accounts()).filter(
    (account) => account.name === name && !createdIds.has(account.id),
  )
  for (const account of left) await account.delete().catch(ignoreIfGone)
}

/** Ignores that an account does not exist: the test may have deleted it, or reset the sandbox. */
function ignoreIfGone(error: unknown): void {
  if (!(error instanceof SandboxError) || error.status !== 404) throw error
}

/** The newest events and diagnostics of a failed test's account, one line each. */
export async function explainTestFailure(account: SandboxAccount): Promise<string> {
  try {
    const findings = await account.diagnostics({ limit: MAX_FOUND })
    const events = (await account.events({ limit: MAX_EVENTS })).filter(
      ({ type }) => type !== 'diagnostic.found',
    )
    const lines = [
      `The newest events of the account ${account.name}:`,
      ...events.map(eventLine),
      ...(findings.length === 0 ? [] : ['Diagnostics:']),
      ...findings.map(diagnosticLine),
    ]
    return forTerminal(lines.join('\n'), process.stdout)
  } catch (error) {
    // The test may have deleted its account.
    return `The events of the test cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
