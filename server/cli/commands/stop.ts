import { UsageError } from '../../domain/text/usage-error.ts'
import { isDatabaseFile } from '../../platform/system/database-name.ts'
import { collectValues } from '../../runtime/config/collect-values.ts'
import { readOptions } from '../../runtime/config/option-values.ts'
import { startOptions } from '../../runtime/config/options.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import { command, type FlagsOf } from '../command.ts'
import { jsonFlag } from '../shared-flags.ts'
import { startFlags } from '../start-flags.ts'
import { backgroundFilesOf } from '../background/background-files.ts'
import { readRecord } from '../background/record.ts'
import { stopRunning } from '../background/stop-running.ts'
import { printMessage, print, type CommandIo } from '../io.ts'

/** Longer than a sandbox takes to stop: its webhooks have two seconds, and replicas need a little more. */
const TIMEOUT_MS = 30_000

const stopFlags = {
  db: {
    ...startFlags.db!,
    text: `database of the sandbox (${startOptions.db.default})`,
  },
  host: {
    ...startFlags.host!,
    text: `address that the sandbox listens on; pass it only if the database is not a file (${startOptions.host.default})`,
  },
  port: {
    ...startFlags.port!,
    text: `port of the sandbox; pass it only if the database is not a file (${startOptions.port.default})`,
  },
  config: startFlags.config!,
  json: jsonFlag,
}

export const stop = command({
  text: 'stop a sandbox in the background (start --detach), and wait until it has ended',
  flags: stopFlags,
  examples: ['stop', 'stop --db :memory: --port 4401'],
  exitCodes: '0: it has ended, or none was running. 1: it did not end in time. 2: usage error.',
  async run({ flags, values }, io) {
    const files = backgroundFilesOf(await readTarget(flags, values, io), io)
    const record = await readRecord(files.record)
    const result = record === undefined ? 'none' : await stopRunning(record, TIMEOUT_MS)

    if (record !== undefined && result === 'late') {
      printMessage(
        io,
        `The sandbox at ${record.url} has not ended within ${TIMEOUT_MS / 1000} s. Its log ${record.log} may say why. To end it anyway, kill process ${record.pid}.`,
      )
      return 1
    }
    const url = result === 'stopped' ? record!.url : null
    print(io, flags.json, { stopped: url !== null, url }, () =>
      url === null
        ? `No sandbox with database ${files.database} runs in the background. If one runs in a terminal, press Ctrl-C there.`
        : `The sandbox at ${url} has stopped`,
    )
    return 0
  },
})

/** The database, the host and the port that `start` would use. */
async function readTarget(
  flags: FlagsOf<typeof stopFlags>,
  values: Parameters<typeof collectValues>[0],
  io: CommandIo,
): Promise<Pick<StartOptions, 'db' | 'host' | 'port'>> {
  const collected = await collectValues(values, io)
  const { db, host, port } = startOptions
  const target = readOptions({ db, host, port }, collected)
  if (isDatabaseFile(target.db)) {
    const unused = (['host', 'port'] as const).find((name) => flags[name] !== undefined)
    if (unused === undefined) return target
    throw new UsageError(
      `--${unused} is ${flags[unused]}, but database ${target.db} is a file, which already identifies the sandbox to stop. Leave out --${unused}, or add --db :memory:.`,
    )
  }
  if (target.port > 0) return target
  throw new UsageError(
    `${collected.port?.source.name} is 0, so only the sandbox knows its port. Pass --port with the port that it has printed.`,
  )
}
