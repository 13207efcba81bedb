import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from '../../platform/system/make-folder.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import { printMessage, type CommandIo } from '../io.ts'
import { LOG_VARIABLE, type BackgroundMessage } from './messages.ts'
import { backgroundFilesOf } from './background-files.ts'

/**
 * Starts the sandbox as a process that outlives this process and its terminal. Prints what `start` prints until the sandbox is
 * ready or has failed. Returns the exit code.
 */
export async function startDetached(
  args: readonly string[],
  options: StartOptions,
  io: CommandIo,
): Promise<number> {
  const { log, output } = openLog(backgroundFilesOf(options, io).log)
  const child = spawn(process.execPath, [CLI, 'start', ...args.filter((arg) => arg !== '--detach')], {
    ...(io.cwd !== undefined && { cwd: io.cwd }),
    env: { ...io.env, [LOG_VARIABLE]: log },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output, 'ipc'],
  })
  closeSync(output)
  let isReady = false
  child.on('message', (message: BackgroundMessage) => {
    if (message.type === 'ready') isReady = true
    else io[message.stream].write(message.text)
  })
  try {
    // The sandbox disconnects when it is ready and when it ends, after it has sent all messages.
    await once(child, 'disconnect')
  } catch (error) {
    printMessage(
      io,
      `The sandbox could not be started in the background: ${(error as Error).message}. To start it in this terminal, leave out --detach.`,
    )
    return 1
  }
  if (isReady) {
    child.unref()
    return 0
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  if (child.signalCode !== null)
    printMessage(io, `The sandbox was killed before it was ready. Its output is in ${log}.`)
  return child.exitCode || 1
}

/** The built command line: next to this file if this file itself is built, otherwise in `dist`. */
const CLI = fileURLToPath(
  new URL(
    /\/dist\/server\/[^/]+$/.test(import.meta.url) ? 'cli.js' : '../../../dist/server/cli.js',
    import.meta.url,
  ),
)

/**
 * Opens the log. It contains keys, so only the owner may read it. If it cannot be opened, the sandbox starts without one, because
 * it will then fail to open the database next to it and report that error.
 */
function openLog(file: string): { readonly log: string; readonly output: number } {
  try {
    makeDataFolder(dirname(file))
    return { log: file, output: openSync(file, 'a', 0o600) }
  } catch {
    return { log: devNull, output: openSync(devNull, 'a') }
  }
}
