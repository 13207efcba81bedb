import type { Background, Output } from '../io.ts'
import { LOG_VARIABLE, type BackgroundMessage } from './messages.ts'

/** The connection to the command that started this process in the background. `undefined` for a process in the foreground. */
export function connectToParent(process: NodeJS.Process) {
  const { [LOG_VARIABLE]: log } = process.env
  if (!log || process.send === undefined) return undefined
  // Programs that this process starts must not inherit the variable.
  delete process.env[LOG_VARIABLE]
  // Until the sandbox is ready, it ends together with the command that started it.
  const end = (): void => process.exit(1)
  process.once('disconnect', end)
  if (!process.connected) end()

  const send = (message: BackgroundMessage): Promise<void> =>
    new Promise((resolve) => {
      if (!process.connected) return resolve()
      process.send!(message, () => resolve())
      return undefined
    })
  /** Writes to the log, and also sends the text to the terminal where `start --detach` runs. */
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
