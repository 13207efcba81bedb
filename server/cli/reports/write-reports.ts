import { lstatSync, rmSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { createFiles } from '../artifacts.ts'
import { fileIn, note, type CliIo } from '../io.ts'
import { githubAnnotationsOf } from './github.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'
import type { verdictFlags } from './verdict-flags.ts'
import type { Verdict } from './verdict.ts'

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

/** Whether stdout is a report's, and people are to read elsewhere. */
export const reportsToStdout = (flags: VerdictFlags): boolean =>
  reportsIn(flags).some(({ file }) => file === STDOUT)

/**
 * Makes the files, empty, as what cannot be written is to be known before the run and not after it. Those that are
 * empty at the end are removed, however it comes: they would pass for reports.
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

/** A device is none. */
function isEmptyFile(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size === 0
}

/** Writes verdicts wherever they are wanted. In GitHub Actions they are annotations and a part of the summary too. */
export async function writeReports(
  suite: string,
  verdicts: readonly Verdict[],
  flags: VerdictFlags,
  io: CliIo,
): Promise<void> {
  for (const { flag, file } of reportsIn(flags)) {
    const text = formats[flag](suite, verdicts)
    if (file === STDOUT) io.stdout.write(text)
    else await writeFile(fileIn(io, file), text)
  }
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = io.env
  if (GITHUB_ACTIONS !== 'true') return
  const annotations = githubAnnotationsOf(suite, verdicts).trimEnd()
  if (annotations !== '') note(io, annotations)
  if (GITHUB_STEP_SUMMARY) await appendFile(fileIn(io, GITHUB_STEP_SUMMARY), markdownOf(suite, verdicts))
}
