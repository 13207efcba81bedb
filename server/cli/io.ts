import type { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import { UsageError } from '../domain/text/usage-error.ts'
import { shown } from '../domain/text/visible.ts'

/** Where a command writes: `process.stdout`, or any object with `write`. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  hasColors?(): boolean
  /** Replaces the line that the cursor is on by a text. Only for a terminal. */
  replaceLine?(text: string): unknown
}

/** The parts of the process that the command line uses. */
export interface CliIo {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  /** The folder for relative file names. Default: the working directory of the process. */
  readonly cwd?: string
  /** The input of the command of `exec`. `inherit` passes on the stdin of this process. Default: no input. */
  readonly stdin?: 'inherit' | NodeJS.ReadableStream
  /**
   * Emits `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT`, as `process` does. A test passes an `EventEmitter` and calls
   * `emit('SIGINT')`. Without it, nothing interrupts a command.
   */
  readonly signals?: EventEmitter
  /** Called once `start` serves. */
  readonly onServing?: () => void
  /** Set only in a process that `start --detach` has started. */
  readonly background?: Background
}

/** The connection of a sandbox in the background to the command that has started it. */
export interface Background {
  /** The file with its output. */
  readonly log: string
  /** Tells the other command that the sandbox is ready. */
  ready(): Promise<void>
}

/** What `run` passes to a command. */
export interface CommandIo extends CliIo {
  /** Ends the run with this exit code, without waiting for the command. */
  readonly exit: (code: number) => void
  /** The output for the command of `exec`, which belongs to the user and is not changed. */
  readonly child: Pick<CliIo, 'stdout' | 'stderr'>
}

/** Prints the result of a command: one JSON value for machines, or text for people. */
export function print({ stdout }: CliIo, isJson: boolean, value: unknown, text: () => string): void {
  stdout.write(`${isJson ? JSON.stringify(value) : text()}\n`)
}

/** Prints a line for people to stderr, so that stdout contains only results. */
export const note = ({ stderr }: CliIo, line: string): void => void stderr.write(`${line}\n`)

/** A `~` or a variable that no shell has replaced, because it was in `--db=~/x.db` or in a file of variables. */
const UNREPLACED = /^(~|\$\w+|\$\{\w+\}|%\w+%)[\\/]/

/** The path of a file that the user named. Without `cwd`, returns the path unchanged. */
export function fileIn({ cwd }: CliIo, file: string): string {
  const [, home] = UNREPLACED.exec(file) ?? []
  if (home !== undefined) {
    throw new UsageError(
      `${shown(file)} begins with ${home}, which the shell has not replaced. Write the whole path.`,
    )
  }
  return cwd === undefined ? file : resolve(cwd, file)
}
