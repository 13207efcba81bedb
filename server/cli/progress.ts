import type { CliIo } from './io.ts'

/** A line on the terminal that shows the progress of a command. Each new text replaces the previous one. */
export interface Progress {
  show(text: string): void
  /** Removes the line. Must be called before anything else is written. */
  clear(): void
}

/** Shows progress on stderr if that is a terminal. Otherwise writes nothing, because the lines would only fill a log. */
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
