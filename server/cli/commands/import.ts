import { basename } from 'node:path'
import { findCalls, readHar } from '../../domain/har/read-har.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { plural } from '../../contract/format/values.ts'
import { connect } from '../connect.ts'
import { createInterruption } from '../interruption.ts'
import { note, print, type CommandIo } from '../io.ts'
import { readArguments } from '../read-arguments.ts'
import { readHarFile } from '../read-har-file.ts'

/** How many calls one request to the sandbox contains. Between two requests, progress is shown and Ctrl-C takes effect. */
const BATCH = 100

/** Adds the calls of a HAR file to the journal. */
export async function importHar(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('import', args)
  const file = operands[0]!
  const { entries, ignored } = callEntries(await readHarFile(io, file), flags.origin)
  const sandbox = await connect(flags, io)
  using interruption = createInterruption(io)

  let imported = 0
  let different = 0
  const notCompared: Record<string, number> = {}
  while (imported < entries.length && !interruption.signal.aborted) {
    if (imported > 0) note(io, `${imported} of ${entries.length} calls imported`)
    const har = JSON.stringify({ log: { entries: entries.slice(imported, imported + BATCH) } })
    const result = await sandbox.importHar(har, { name: basename(file) })
    imported += result.imported
    different += result.different
    for (const [reason, count] of Object.entries(result.notCompared))
      notCompared[reason] = (notCompared[reason] ?? 0) + count
  }
  const remaining = entries.length - imported
  const counts = { imported, different, notCompared, ignored, ...(remaining > 0 && { remaining }) }
  print(io, flags.json, counts, () => text(counts, sandbox.url))
  return interruption.exitCode() ?? 0
}

/**
 * The entries of a HAR file that are calls, oldest first. The whole file is checked first, so a file with a mistake
 * adds nothing to the journal.
 */
function callEntries(har: string, origin: string | undefined) {
  const recorded = readHar(har)
  const { calls, ignored } = findCalls(recorded, origin === undefined ? undefined : readOrigin(origin))
  const { log } = JSON.parse(har) as { readonly log: { readonly entries: readonly unknown[] } }
  const entryOf = new Map(recorded.map((call, index) => [call, log.entries[index]]))
  const sorted = calls.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt))
  return { entries: sorted.map((call) => entryOf.get(call)), ignored }
}

function readOrigin(origin: string): string {
  if (/^https?:\/\//.test(origin) && URL.canParse(origin)) return new URL(origin).origin
  throw new UsageError(`--origin is ${origin}. It must be an address like https://dev.pay.example.`)
}

interface Counts {
  readonly imported: number
  readonly different: number
  readonly notCompared: Readonly<Record<string, number>>
  readonly ignored: number
  readonly remaining?: number
}

const text = ({ imported, different, notCompared, ignored, remaining }: Counts, url: string): string =>
  [
    ...(remaining === undefined
      ? []
      : [
          `Stopped. ${plural(remaining, 'call')} of the file ${remaining === 1 ? 'is' : 'are'} not imported.`,
        ]),
    `${plural(imported, 'call')} imported, ${different} different from the sandbox. ${plural(ignored, 'other request')} ignored`,
    ...Object.entries(notCompared).map(
      ([reason, count]) => `${plural(count, 'call')} not compared: ${reason}`,
    ),
    ...(different > 0 ? [`See them at ${url}/#/timeline?q=is:different`] : []),
  ].join('\n')
