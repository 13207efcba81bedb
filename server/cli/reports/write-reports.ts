import { lstatSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { hidePasswords } from '../../domain/network/credentials.ts'
import { writePrivateFile } from '../../platform/system/write-private-file.ts'
import { createFiles } from '../artifacts.ts'
import { fileIn, printMessage, type CliIo } from '../io.ts'
import { githubAnnotationsOf } from './github.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'
import type { verdictFlags } from './verdict-flags.ts'
import type { CaseVerdict } from './verdict.ts'

type VerdictFlags = { readonly [Name in keyof typeof verdictFlags]: string | undefined }

const formats: Readonly<Record<keyof VerdictFlags, typeof junitOf>> = {
  junit: junitOf,
  markdown: markdownOf,
}

const STDOUT = '-'

const reportsIn = (flags: VerdictFlags): { readonly flag: keyof VerdictFlags; readonly file: string }[] =>
  (Object.keys(formats) as (keyof VerdictFlags)[]).flatMap((flag) => {
    const file = flags[flag]
    return file === undefined ? [] : [{ flag, file }]
  })

/** Whether a report goes to stdout. Text for people then goes to stderr. */
export const reportsToStdout = (flags: VerdictFlags): boolean =>
  reportsIn(flags).some(({ file }) => file === STDOUT)

/**
 * Creates empty files, so that an unwritable file is reported before the run. Files that are still empty at the end are removed,
 * because they could be mistaken for reports.
 */
export async function createReportFiles(flags: VerdictFlags, io: CliIo): Promise<Disposable> {
  const files = reportsIn(flags).filter(({ file }) => file !== STDOUT)
  await createFiles(io, files)
  const removeEmpty = (): void => {
    for (const path of files.map(({ file }) => fileIn(io, file))) {
      if (isEmptyFile(path)) rmSync(path, { force: true })
    }
  }
  process.once('exit', removeEmpty)
  return {
    [Symbol.dispose]() {
      process.off('exit', removeEmpty)
      removeEmpty()
    },
  }
}

/** Whether this is an empty file and not a device. */
function isEmptyFile(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size === 0
}

/** Writes the reports. In GitHub Actions, also writes annotations and a section of the job summary. */
export async function writeReports(
  suite: string,
  verdicts: readonly CaseVerdict[],
  flags: VerdictFlags,
  io: CliIo,
): Promise<void> {
  for (const { flag, file } of reportsIn(flags)) {
    const text = hidePasswords(formats[flag](suite, verdicts))
    if (file === STDOUT) io.stdout.write(text)
    else await writePrivateFile(fileIn(io, file), text)
  }
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = io.env
  if (GITHUB_ACTIONS !== 'true') return
  const annotations = githubAnnotationsOf(suite, verdicts).trimEnd()
  if (annotations !== '') printMessage(io, annotations)
  if (GITHUB_STEP_SUMMARY)
    await appendFile(fileIn(io, GITHUB_STEP_SUMMARY), hidePasswords(markdownOf(suite, verdicts)))
}
