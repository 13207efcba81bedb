import type { CaseResult } from '../../contract/checks/check.ts'
import { furtherReason } from '../../contract/format/further-reason.ts'
import { fileNameOf, type FailureTest, type TestSandbox } from './failure-test.ts'

/** A failed case of a check, and how the check ran. */
export interface CheckFailure {
  readonly isCaller: boolean
  /** The receiver, or the order URL. */
  readonly url: string
  /** The options of the check. */
  readonly options: Readonly<Record<string, unknown>>
  /** The path of the module with functions of the app. */
  readonly module?: string | undefined
  readonly result: Pick<CaseResult, 'name' | 'title' | 'expected' | 'seen' | 'why'>
}

/** Turns a failed case into a test that runs only this case. */
export function testOfCheck(failure: CheckFailure, sandbox: TestSandbox): FailureTest {
  const { isCaller, url, options, module, result } = failure
  const { interleave, histories, seed: _seed, only: _only, skip: _skip, ...rest } = options
  const { name, title, expected, seen } = result
  const reasons = furtherReason(result).map((text) => `Why: ${text}`)
  const selected = (interleave ?? histories) === undefined ? { only: [name] } : { interleave: [name] }
  return {
    name: fileNameOf(name),
    title: `${name}: ${title}`,
    about: [`${name}: ${title}`, `Expected: ${expected}`, `Seen: ${seen}`, ...reasons],
    sandbox,
    steps: [{ kind: 'check', isCaller, url, options: { ...rest, ...selected }, module }],
  }
}
