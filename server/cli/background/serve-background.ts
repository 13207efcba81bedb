import { once } from 'node:events'
import { resolve } from 'node:path'
import type { RunningSandbox } from '../../runtime/sandbox.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import type { CliIo } from '../io.ts'
import { openStopChannel } from './open-stop-channel.ts'
import { backgroundFilesOf } from './background-files.ts'
import { removeRecord, writeRecord } from './record.ts'

/** Lets `stop` find a sandbox in the background. */
export async function serveBackground(
  { url }: RunningSandbox,
  options: Pick<StartOptions, 'db' | 'host' | 'port'>,
  log: string,
  io: CliIo,
) {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  const channel = await openStopChannel(() => stopping.abort())
  const { record } = backgroundFilesOf(options, io)
  await writeRecord(record, { url, pid: process.pid, log: resolve(log), ...channel })
  return {
    /** Resolves when `stop` asks for it. */
    stopped,
    end: () => removeRecord(record),
  }
}
