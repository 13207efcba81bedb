import { beforeAll, test as base } from 'vitest'
import type { SandboxAccount } from '../client/account.ts'
import type { Sandbox } from '../client/connect-sandbox.ts'
import type { Receiver } from '../client/receiver.ts'
import { createTestAccount, deleteTestAccount, explainTestFailure, openTestSandbox } from './test-account.ts'

interface Fixtures {
  /** One sandbox for each worker, or the sandbox at `PAYLINK_URL`. */
  readonly sandbox: Sandbox
  /**
   * An account with the name of this test, so that it has the same ids in every run. A sandbox at `PAYLINK_URL` keeps the
   * account until the next run, so that you can look at it in the inspector.
   */
  readonly account: SandboxAccount
  /** A webhook endpoint, which is the payment endpoint of the account. Closed at the end of the test. */
  readonly receiver: Receiver
}

/** A busy machine may need more time for the first start than Vitest allows a test. */
const START_LIMIT_MS = 60_000

let opened: Promise<Sandbox> | undefined
const open = (): Promise<Sandbox> => (opened ??= openTestSandbox())

// Otherwise, the start would count as time of the first test.
beforeAll(async () => void (await open()), START_LIMIT_MS)

/** Vitest's `test` with the fixtures `sandbox`, `account` and `receiver`. */
export const test = base.extend<Fixtures>({
  sandbox: [
    // Vitest reads the names of other fixtures from the first parameter.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await using sandbox = await open()
      await use(sandbox)
      opened = undefined
    },
    { scope: 'worker' },
  ],
  account: async ({ sandbox, task }, use) => {
    const account = await createTestAccount(sandbox, pathOf(task))
    await use(account)
    if (task.result?.state === 'fail') console.error(await explainTestFailure(account))
    await deleteTestAccount(account)
  },
  receiver: async ({ account }, use) => {
    await using receiver = await account.receiver()
    await use(receiver)
  },
})

interface NamedTask {
  readonly name: string
  readonly suite?: NamedTask | undefined
  readonly file?: NamedTask
}

/** The names of a test's file, suites and test. */
function pathOf({ name, suite, file }: NamedTask): string[] {
  const names = [name]
  for (let outer = suite; outer; outer = outer.suite) names.unshift(outer.name)
  return [file?.name ?? '', ...names]
}
