import { basename } from 'node:path'
import type { ImportView } from '../../contract/views.ts'
import { plural } from '../../format/values.ts'
import { connect } from '../connect.ts'
import { print, type CommandIo } from '../io.ts'
import { readArguments } from '../read-arguments.ts'
import { readHarFile } from '../read-har-file.ts'

/** Adds the calls of a HAR file to the journal. */
export async function importHar(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('import', args)
  const file = operands[0]!
  const har = await readHarFile(io, file)
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
