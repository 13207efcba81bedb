import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Aborts a signal when this process is asked to end. Who asks twice does not want to wait. */
export function createInterruption() {
  const controller = new AbortController()
  let code: number | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(128 + constants.signals[signal])
    code = 128 + constants.signals[signal]
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    signal: controller.signal,
    /** What a shell would give, once it was interrupted. */
    exitCode: () => code,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
