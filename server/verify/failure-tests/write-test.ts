import type { TestFormat } from '../../contract/test-format.ts'
import type { FailureTest, TestFile } from './failure-test.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'
import { writeShell } from './write-shell.ts'
import { writeVitest } from './write-vitest.ts'

/** Writes a failure as a test in one of the formats. */
export const writeTest = (failure: FailureTest, format: TestFormat): TestFile =>
  format === 'vitest'
    ? { name: `${failure.name}.test.ts`, text: hidePasswords(writeVitest(failure)) }
    : { name: `${failure.name}.sh`, text: hidePasswords(writeShell(failure)) }
