import { constants } from 'node:os'
import type { CommandIo } from './io.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const satisfies readonly NodeJS.Signals[]

/** Calls a function on each signal until the returned object is disposed. */
export function onSignals(
  { signals }: CommandIo,
  handle: (signal: NodeJS.Signals) => void,
  names: readonly NodeJS.Signals[] = SIGNALS,
): Disposable {
  const handlers = names.map((name) => ({ name, handler: () => handle(name) }))
  for (const { name, handler } of handlers) signals?.on(name, handler)
  return {
    [Symbol.dispose]() {
      for (const { name, handler } of handlers) signals?.off(name, handler)
    },
  }
}

/** Aborts on the first signal, so that the command can finish properly. A second signal ends the run at once. */
export function createInterruption(io: CommandIo, names?: readonly NodeJS.Signals[]) {
  const controller = new AbortController()
  let code: number | undefined
  const handlers = onSignals(
    io,
    (signal) => {
      if (code !== undefined) io.exit(exitCodeOfSignal(signal))
      code = exitCodeOfSignal(signal)
      controller.abort()
    },
    names,
  )
  return {
    signal: controller.signal,
    /** The exit code for the signal, as a shell reports it. `undefined` if there was no signal. */
    exitCode: () => code,
    [Symbol.dispose]: () => handlers[Symbol.dispose](),
  }
}

/** The exit code that a shell reports for a command that was ended by this signal. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
