import {
  test as base,
  type Page,
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
import type { PaymentMethod } from '../domain/links/link.ts'
import { createTestAccount, deleteTestAccount, explainTestFailure, openTestSandbox } from './test-account.ts'

/** The checkout page of the sandbox in the browser of the test. Each method resolves when the browser has reached the next page. */
export interface Checkout {
  /** Opens a pay link. Not needed if the app under test has sent the browser to it. */
  open(link: string | { readonly payLink: string }): Promise<void>
  /** Pays, by card unless the options say otherwise. */
  pay(options?: CheckoutOptions): Promise<void>
  /** Cancels the payment. The link must be cancellable. */
  cancel(): Promise<void>
  /** Lets the bank decline the card. The customer can try again, or cancel. */
  decline(): Promise<void>
}

/** How the customer pays. A browser that closes does not return to the shop after a card payment. */
export type CheckoutOptions =
  | { readonly method?: PaymentMethod; readonly browser?: 'returns' }
  | { readonly method?: 'card'; readonly browser: 'closes' }

interface TestFixtures {
  /**
   * An account for this test. It has the name of the test, so that it gets the same ids in every run. A sandbox at
   * `PAYLINK_URL` keeps it until the next run, for its inspector and its report.
   */
  readonly account: SandboxAccount
  /** A webhook endpoint, set as the payment endpoint of the account. Closed at the end of the test. */
  readonly receiver: Receiver
  /** The checkout in `page`. */
  readonly checkout: Checkout
}

interface WorkerFixtures {
  /** One sandbox for each worker, or the one at `PAYLINK_URL`. */
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

/** The names of a test's file, suites and test. The first part differs between parallel runs of the same test. */
const pathOf = ({ project, repeatEachIndex, titlePath }: TestInfo): string[] => [
  ...(project.name === '' ? [] : [project.name]),
  ...(repeatEachIndex === 0 ? [] : [`run ${repeatEachIndex + 1}`]),
  ...titlePath,
]

function createCheckout(page: Page): Checkout {
  async function click(name: string | RegExp): Promise<void> {
    const left = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame())
    await Promise.all([left, page.getByRole('button', { name }).click()])
  }

  return {
    async open(link) {
      await page.goto(typeof link === 'string' ? link : link.payLink)
    },
    async pay({ method = 'card', browser = 'returns' } = {}) {
      if (method === 'bank-transfer') await page.getByRole('radio', { name: 'Bank transfer' }).check()
      await click(browser === 'closes' ? 'Pay, then close the browser' : /^Pay €/)
    },
    cancel: () => click('Cancel payment'),
    decline: () => click('Decline the card'),
  }
}
