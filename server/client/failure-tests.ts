import type { CaseResult } from '../contract/checks/check.ts'
import type { CheckFailure } from '../verify/failure-tests/check-failure.ts'
import type { TestFormat } from '../contract/test-format.ts'
import type { TestFile } from '../verify/failure-tests/failure-test.ts'
import type { Request } from './request.ts'

/** A failed case as a test, in each format. */
export type TestFiles = Readonly<Record<TestFormat, TestFile>>

/** Options of a check that are available only on the command line. */
export interface TestOptions {
  /** The path of the module with `orderState` and `createOrder`. */
  readonly module?: string | undefined
  /** Called at the end of the check, once for each cause of failures, with a test that reproduces one of these failures. */
  readonly onTest?: ((files: TestFiles, result: CaseResult) => void) | undefined
}

type FailedCase = CaseResult & { readonly sameAs?: string | null }

/** Requests a test for each failed case, but only one for all cases with the same cause. */
export async function requestTests(
  request: Request,
  given: object,
  failure: Pick<CheckFailure, 'isCaller' | 'url'>,
  report: { readonly accountId: string | null; readonly results: readonly FailedCase[] },
): Promise<void> {
  const { onTest, module, ...options } = given as TestOptions
  if (onTest === undefined) return
  const { accountId, results } = report
  const sent = Object.entries(options).filter(([, value]) => isSent(value))
  for (const result of results.filter(
    ({ outcome, sameAs }) => outcome === 'failed' && (sameAs ?? null) === null,
  )) {
    const { name, title, expected, seen, why } = result
    const files = await request('POST /tests/check', {
      json: {
        ...failure,
        options: Object.fromEntries(sent),
        module,
        accountId,
        result: { name, title, expected, seen, why },
      },
    })
    onTest(files, result)
  }
}

/** Whether an option can be sent as JSON. Functions and signals cannot. */
const isSent = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || Array.isArray(value)
