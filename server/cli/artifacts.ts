import { lstat, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Records } from '../client/records.ts'
import { makeFolder } from '../platform/system/make-folder.ts'
import { writePrivateFile } from '../platform/system/write-private-file.ts'
import { explainPathError } from '../platform/system/file-trouble.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import type { Address } from './connect.ts'
import { fileIn, printMessage, type CliIo } from './io.ts'

/** A file in which `exec` saves its run. */
export interface Artifact {
  readonly flag: 'report' | 'har'
  readonly file: string
}

const exporters: Readonly<Record<Artifact['flag'], (records: Records, about: string) => Promise<string>>> = {
  report: (records, about) => records.exportReport(about),
  har: (records) => records.exportHar(),
}

/** Creates empty files, so that an unwritable file is reported before the run. */
export async function createFiles(
  io: CliIo,
  files: readonly { readonly flag: string; readonly file: string }[],
): Promise<void> {
  const paths = files.map(({ file }) => resolve(file))
  const second = files.find((_one, index) => paths.indexOf(paths[index]!) < index)
  if (second) {
    const first = files[paths.indexOf(resolve(second.file))]!
    throw new UsageError(
      `--${first.flag} ${first.file} and --${second.flag} ${second.file} are the same file. Pass two different files.`,
    )
  }
  for (const { flag, file } of files) {
    try {
      const path = fileIn(io, file)
      makeFolder(dirname(path))
      await writePrivateFile(path, '')
    } catch (error) {
      throw new UsageError(
        `--${flag} ${file} cannot be written: ${explainPathError(error)}. Pass another file.`,
      )
    }
  }
}

const titles: Readonly<Record<Artifact['flag'], string>> = { report: 'Report', har: 'HAR file' }

/** Saves the run, and prints where, unless `isSilent`. Returns whether every file could be written. The report begins with `about`. */
export async function saveArtifacts(
  { url, ...options }: Address,
  artifacts: readonly Artifact[],
  about: string,
  isSilent: boolean,
  io: CliIo,
): Promise<boolean> {
  if (artifacts.length === 0) return true
  const { connectSandbox } = await import('../client/connect-sandbox.ts')
  await using sandbox = await connectSandbox(url, options)
  let isKept = true
  for (const { flag, file } of artifacts) {
    try {
      await writePrivateFile(fileIn(io, file), await exporters[flag](sandbox, about))
      if (!isSilent) printMessage(io, `${titles[flag]} written to ${file}`)
    } catch (error) {
      isKept = false
      await removeIncomplete(fileIn(io, file))
      printMessage(io, `--${flag} ${file} could not be saved: ${explainPathError(error)}`)
    }
  }
  return isKept
}

/**
 * Removes an incomplete file, because it could be mistaken for a complete one. Keeps a device such as `/dev/null`, and links to
 * devices.
 */
async function removeIncomplete(path: string): Promise<void> {
  const info = await lstat(path).catch(() => undefined)
  if (info?.isFile()) await rm(path)
}
