import type { CliIo } from './io.ts'

/** A line on the terminal that says how far a command is. Each new text replaces the one before. */
export interface Progress {
  show(text: string): void
  /** Removes the line. Call this before anything else is written. */
  clear(): void
}

/** Shows progress on stderr if it is a terminal. Elsewhere the lines would only fill a log, so nothing is written. */
export function createProgress({ stderr }: Pick<CliIo, 'stderr'>): Progress {
  const { isTTY = false } = stderr
  let isShown = false
  return {
    show(text) {
      if (!isTTY) return
      stderr.replaceLine?.(text)
      isShown = true
    },
    clear() {
      if (isShown) stderr.replaceLine?.('')
      isShown = false
    },
  }
}
