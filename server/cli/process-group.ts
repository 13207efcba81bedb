import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { exitCodeOfSignal } from './interruption.ts'
import { printMessage, type CliIo } from './io.ts'

/** How long processes that a command left running may take to end after SIGTERM. */
const TERM_TIMEOUT_MS = 2_000
const POLL_MS = 20

/** How long to wait for the output of a command that has ended. A process outside its group may keep the pipes open. */
export const CLOSE_TIMEOUT_MS = 500

/** Exit codes from here on mean that a command could not be run, or was ended by a signal. */
export const FIRST_SHELL_CODE = 126

/** Whether a child can lead a process group. If so, everything that it starts can be ended together with it. */
export const CAN_LEAD_GROUP = process.platform !== 'win32'

/** A child and, if it leads a process group, everything that it started. */
interface Group {
  send(signal: NodeJS.Signals): void
  /** Ends the remaining processes of the group, first with SIGTERM, then with SIGKILL. */
  end(): Promise<void>
  /** Stops watching the group. Until then, the group ends with this process, even if this process is killed. */
  dismiss(): void
}

export function groupOf(child: ChildProcess, leads: boolean): Group {
  const target = child.pid === undefined ? undefined : leads ? -child.pid : child.pid
  const send = (signal: NodeJS.Signals): void => {
    if (target === undefined) return
    try {
      process.kill(target, signal)
    } catch {
      // The group has already ended.
    }
  }
  const kill = (): void => send('SIGKILL')
  const dismiss = target === undefined ? () => {} : startWatcher(target)
  process.once('exit', kill)

  return {
    send,
    async end() {
      if (target === undefined) return
      send('SIGTERM')
      await waitUntilGone(target)
      send('SIGKILL')
    },
    dismiss() {
      dismiss()
      process.off('exit', kill)
    },
  }
}

/** Waits until a process group is gone, up to a limit. */
async function waitUntilGone(group: number): Promise<void> {
  const end = performance.now() + TERM_TIMEOUT_MS
  while (exists(group) && performance.now() < end) await pause(POLL_MS)
}

function exists(target: number): boolean {
  try {
    process.kill(target, 0)
    return true
  } catch {
    return false
  }
}

/** Prints why a command was not run. Returns the exit code that a shell would report. */
export function reportNotRun(io: CliIo, command: string, { code, message }: NodeJS.ErrnoException): number {
  if (code === 'ENOENT') {
    printMessage(
      io,
      `${command} was not run: there is no such command. Check its name, or add its folder to PATH.`,
    )
    return 127
  }
  const why =
    code === 'EACCES' ? 'it is not executable. Make it so with chmod +x, or name its interpreter.' : message
  printMessage(io, `${command} was not run: ${why}`)
  return 126
}

/** Starts a shell that ends the command if this process is killed. Returns a function that stops the shell. */
function startWatcher(target: number): () => void {
  if (process.platform === 'win32') return () => {}
  const script = `read -r _; kill -s TERM -- "$0"; sleep ${TERM_TIMEOUT_MS / 1000}; kill -s KILL -- "$0"`
  const watch = spawn('/bin/sh', ['-c', script, String(target)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // If the shell cannot be started, nothing watches the command.
  watch.on('error', () => {})
  return () => void watch.kill('SIGKILL')
}

/** The exit code that a shell would report. */
export const exitCodeOfCommand = (code: number | null, signal: NodeJS.Signals | null): number =>
  signal === null ? (code ?? 1) : exitCodeOfSignal(signal)
