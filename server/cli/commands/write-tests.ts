import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestFiles } from '../../client/failure-tests.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { explainPathError } from '../../platform/system/file-trouble.ts'
import { makeFolder } from '../../platform/system/make-folder.ts'
import { fileIn, note, type CliIo } from '../io.ts'

/** Creates the folder before the run. Returns a function that writes the test of a failure there. */
export function createTestFolder(folder: string, io: CliIo): (files: TestFiles) => void {
  const path = fileIn(io, folder)
  try {
    makeFolder(path)
  } catch (error) {
    throw new UsageError(
      `--tests ${folder} cannot be created: ${explainPathError(error)}. Name another folder.`,
    )
  }
  return ({ vitest, shell }) => {
    for (const { name, text } of [vitest, shell]) writeFileSync(join(path, name), text)
    note(io, `Test: ${join(folder, vitest.name)}, or ${shell.name} for the shell`)
  }
}
