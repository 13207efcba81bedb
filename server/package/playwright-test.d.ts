/**
 * The types of Playwright Test that `playwright.ts` uses. Only users install Playwright. The tests of the package compile
 * against the real types.
 */
declare module '@playwright/test' {
  import type { BrowserContext, Page } from 'playwright-core'

  export type { Page }

  export interface PlaywrightTestArgs {
    context: BrowserContext
    page: Page
  }
  export type PlaywrightTestOptions = object
  export type PlaywrightWorkerArgs = object
  export type PlaywrightWorkerOptions = object

  export interface TestInfo {
    readonly project: { readonly name: string }
    readonly repeatEachIndex: number
    readonly titlePath: string[]
    readonly status?: string
    readonly expectedStatus: string
  }

  type Fixture<Value, Args> = (
    args: Args,
    use: (value: Value) => Promise<void>,
    testInfo: TestInfo,
  ) => Promise<void>

  type Fixtures<Own, Worker, Args> = { [Key in keyof Own]: Fixture<Own[Key], Args & Own & Worker> } & {
    [Key in keyof Worker]: [Fixture<Worker[Key], Worker>, { scope: 'worker' }]
  }

  export interface TestType<Args, WorkerArgs> {
    extend<Own, Worker>(
      fixtures: Fixtures<Own, Worker, Args & WorkerArgs>,
    ): TestType<Args & Own, WorkerArgs & Worker>
  }

  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >
}
