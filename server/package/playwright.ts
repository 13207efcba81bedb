import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test'
import type { SandboxAccount } from '../client/account.ts'
import type { Sandbox } from '../client/connect-sandbox.ts'
import type { Receiver } from '../client/receiver.ts'
import { createCheckout, type Checkout } from './checkout.ts'
import { createTestAccount, deleteTestAccount, explainTestFailure, openTestSandbox } from './test-account.ts'

export type { Checkout, CheckoutOptions } from './checkout.ts'

interface TestFixtures {
  /**
   * An account with the name of this test, so that it has the same ids in every run. A sandbox at `PAYLINK_URL` keeps the
   * account until the next run, so that you can look at it in the inspector.
   */
  readonly account: SandboxAccount
  /** A webhook endpoint, which is the payment endpoint of the account. Closed at the end of the test. */
  readonly receiver: Receiver
  /** The checkout page in `page`. */
  readonly checkout: Checkout
}

interface WorkerFixtures {
  /** One sandbox for each worker, or the sandbox at `PAYLINK_URL`. */
  readonly sandbox: Sandbox
}

/** Playwright's `test` with the fixtures `sandbox`, `account`, `receiver` and `checkout`. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<TestFixtures, WorkerFixtures>({
  sandbox: [
    // Playwright reads the names of other fixtures from the first parameter.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await using sandbox = await openTestSandbox()
      await use(sandbox)
    },
    { scope: 'worker' },
  ],
  account: async ({ sandbox }, use, testInfo) => {
    const account = await createTestAccount(sandbox, pathOf(testInfo))
    await use(account)
    if (testInfo.status !== testInfo.expectedStatus) console.error(await explainTestFailure(account))
    await deleteTestAccount(account)
  },
  receiver: async ({ account }, use) => {
    await using receiver = await account.receiver()
    await use(receiver)
  },
  checkout: async ({ page }, use) => use(createCheckout(page)),
})

/**
 * The names of a test's file, suites and test. The project comes first, because the same test can run in several projects at
 * the same time.
 */
const pathOf = ({ project, repeatEachIndex, titlePath }: TestInfo): string[] => [
  ...(project.name === '' ? [] : [project.name]),
  ...(repeatEachIndex === 0 ? [] : [`run ${repeatEachIndex + 1}`]),
  ...titlePath,
]
