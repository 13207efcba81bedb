import { basename } from 'node:path'
import { compareTimes } from '../../domain/har/read-har.ts'
import { MIB } from '../../domain/http/limits.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { importLines } from '../../contract/format/import-lines.ts'
import { plural } from '../../contract/format/values.ts'
import type { ImportView } from '../../contract/views.ts'
import { command } from '../command.ts'
import { connectionFlags } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { createInterruption } from '../interruption.ts'
import { printMessage, print } from '../io.ts'
import { readHarFile, type HarFile } from '../read-har-file.ts'

/**
 * The limits of one request to the sandbox, in calls and in characters. Between two requests, the command prints its progress and
 * checks for Ctrl-C.
 */
const MAX_BATCH_CALLS = 100
const MAX_BATCH_LENGTH = 16 * MIB

export const importHar = command({
  text: "add the calls of a HAR file to the timeline, and compare their answers with the sandbox's",
  operands: ['<file>'],
  flags: {
    origin: { kind: 'text', value: '<origin>', text: 'only calls to this address (calls to any address)' },
    ...connectionFlags,
  },
  examples: ['import checkout.har', 'import checkout.har --origin https://dev.pay.example --json'],
  async run({ flags, operands }, io) {
    const name = operands[0]
    const origin = flags.origin === undefined ? undefined : readOrigin(flags.origin)
    const file = await readHarFile(io, name, origin)
    const sandbox = await connect(flags, io)
    using interruption = createInterruption(io)

    let imported = 0
    let different = 0
    const comparisonSkipped: Record<string, number> = {}
    for (const batch of batchesOf(file)) {
      if (interruption.signal.aborted) break
      if (imported > 0) printMessage(io, `${imported} of ${file.calls.length} calls imported`)
      const har = `{"log":{"entries":[${batch.join()}]}}`
      const result = await sandbox.importHar(har, { name: basename(name) })
      imported += result.imported
      different += result.different
      for (const [reason, count] of Object.entries(result.comparisonSkipped))
        comparisonSkipped[reason] = (comparisonSkipped[reason] ?? 0) + count
    }
    const { ignored, leftOut } = file
    const remaining = file.calls.length - imported
    const counts = {
      imported,
      different,
      comparisonSkipped,
      ignored,
      leftOut,
      ...(remaining > 0 && { remaining }),
    }
    print(io, flags.json, counts, () => text(counts, sandbox.url))
    return interruption.exitCode() ?? 0
  },
})

/** The entries of the calls as JSON, oldest first, in batches within the limits of a request. */
function* batchesOf({ calls, entries }: HarFile): Generator<string[]> {
  let batch: string[] = []
  let length = 0
  for (const { index } of calls.toSorted(compareTimes)) {
    const entry = JSON.stringify(entries[index])
    if (batch.length === MAX_BATCH_CALLS || (batch.length > 0 && length + entry.length > MAX_BATCH_LENGTH)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(entry)
    length += entry.length
  }
  if (batch.length > 0) yield batch
}

function readOrigin(origin: string): string {
  if (/^https?:\/\//.test(origin) && URL.canParse(origin)) return new URL(origin).origin
  throw new UsageError(`--origin is ${origin}. It must be an address like https://dev.pay.example.`)
}

interface Counts extends ImportView {
  readonly remaining?: number
}

const text = ({ remaining, ...result }: Counts, url: string): string =>
  [
    ...(remaining === undefined
      ? []
      : [
          `Stopped. ${plural(remaining, 'call')} of the file ${remaining === 1 ? 'is' : 'are'} not imported.`,
        ]),
    ...importLines(result),
    ...(result.different > 0 ? [`See them at ${url}/#/timeline?q=is:different`] : []),
  ].join('\n')
