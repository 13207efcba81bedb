import type { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import { UsageError } from '../domain/text/usage-error.ts'
import { visibleValue } from '../domain/text/visible.ts'

/** Where a command writes: `process.stdout`, or any object with `write`. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  hasColors?(): boolean
  /** Replaces the current line with a text. Only for a terminal. */
  replaceLine?(text: string): unknown
}

/** What the command line uses of the process. */
export interface CliIo {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  /** The folder for relative file names. Default: the working directory of the process. */
  readonly cwd?: string
  /** The input of the command that `exec` runs. `inherit` passes on the stdin of this process. Default: no input. */
  readonly stdin?: 'inherit' | NodeJS.ReadableStream
  /**
   * Emits `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT`, as `process` does. A test passes an `EventEmitter` and calls
   * `emit('SIGINT')`. If undefined, nothing interrupts a command.
   */
  readonly signals?: EventEmitter
  /** Called when `start` begins to serve. */
  readonly onServing?: () => void
  /** Set only in a process that was started by `start --detach`. */
  readonly background?: Background
}

/** The connection between a sandbox in the background and the command that started it. */
export interface Background {
  /** The file that its output goes to. */
  readonly log: string
  /** Tells the command that the sandbox is ready. */
  ready(): Promise<void>
}

/** What `run` passes to a command. */
export interface CommandIo extends CliIo {
  /** Ends the run with this exit code, without waiting for the command. */
  readonly exit: (code: number) => void
  /** The output of the command that `exec` runs. It belongs to the user and is not changed. */
  readonly child: Pick<CliIo, 'stdout' | 'stderr'>
}

/** Prints the result of a command: one JSON value for programs, or text for people. */
export function print({ stdout }: CliIo, isJson: boolean, value: unknown, text: () => string): void {
  stdout.write(`${isJson ? JSON.stringify(value) : text()}\n`)
}

/** Prints a line for people to stderr, so that stdout contains only results. */
export const printMessage = ({ stderr }: CliIo, line: string): void => void stderr.write(`${line}\n`)

/** Matches a `~` or a variable that no shell has replaced, because it was in `--db=~/x.db` or in a file of variables. */
const UNREPLACED = /^(~|\$\w+|\$\{\w+\}|%\w+%)[\\/]/

/** The path of a file that the user named. Without `cwd`, the path is returned unchanged. */
export function fileIn({ cwd }: CliIo, file: string): string {
  const [, home] = UNREPLACED.exec(file) ?? []
  if (home !== undefined) {
    throw new UsageError(
      `${visibleValue(file)} begins with ${home}, which the shell has not replaced. Write the whole path.`,
    )
  }
  return cwd === undefined ? file : resolve(cwd, file)
}
