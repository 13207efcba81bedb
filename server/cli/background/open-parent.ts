import type { Background, Output } from '../io.ts'
import { LOG_VARIABLE, type BackgroundMessage } from './messages.ts'

/** The command that has started this process in the background. `undefined` for a process in the foreground. */
export function openParent(process: NodeJS.Process) {
  const { [LOG_VARIABLE]: log } = process.env
  if (!log || process.send === undefined) return undefined
  // Programs that this process starts must not inherit the variable.
  delete process.env[LOG_VARIABLE]
  // Until the sandbox is ready, it ends together with the command that has started it.
  const end = (): void => process.exit(1)
  process.once('disconnect', end)
  if (!process.connected) end()

  const send = (message: BackgroundMessage): Promise<void> =>
    new Promise((resolve) => {
      if (!process.connected) return resolve()
      process.send!(message, () => resolve())
      return undefined
    })
  /** Writes to the log, and shows the same text to the user who has run `start --detach`. */
  const mirrored = (stream: 'stdout' | 'stderr'): Output => ({
    write(text) {
      process[stream].write(text)
      void send({ type: 'output', stream, text })
    },
  })
  const background: Background = {
    log,
    async ready() {
      process.off('disconnect', end)
      await send({ type: 'ready' })
      if (process.connected) process.disconnect()
    },
  }
  return { background, stdout: mirrored('stdout'), stderr: mirrored('stderr') }
}
