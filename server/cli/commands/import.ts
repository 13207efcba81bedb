import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ImportView } from '../../contract/views.ts'
import { plural } from '../../format/values.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { connect } from '../connect.ts'
import { fileIn, print, type CommandIo } from '../io.ts'
import { readArguments } from '../read-arguments.ts'

/** Adds the calls of a HAR file to the journal. */
export async function importHar(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('import', args)
  const file = operands[0]!
  const har = await readFile(fileIn(io, file), 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new UsageError(`Cannot read ${file}: ${reason === 'ENOENT' ? 'there is no such file' : reason}.`)
  })
  const sandbox = await connect(flags, io)
  const result = await sandbox.importHar(har, {
    name: basename(file),
    ...(flags.origin !== undefined && { origin: flags.origin }),
  })
  print(io, flags.json, result, () => text(result, sandbox.url))
  return 0
}

const text = ({ imported, different, ignored }: ImportView, url: string): string =>
  [
    `${plural(imported, 'call')} imported, ${different} different from the sandbox. ${plural(ignored, 'other request')} ignored`,
    ...(different > 0 ? [`See them at ${url}/#/timeline?q=is:different`] : []),
  ].join('\n')
