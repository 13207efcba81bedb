import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { exitCodeOfSignal } from './interruption.ts'
import { note, type CliIo } from './io.ts'

/** How long what a command leaves behind may take to end. */
const GRACE_MS = 2_000
const POLL_MS = 20

/** How long to wait for the output of a command that has ended. A process outside its group may keep the pipes open. */
export const CLOSE_TIMEOUT_MS = 500

/** From here on an exit code says that a command could not be run, or was ended by a signal. */
export const NOT_RUN = 126

/** Where a child can lead a process group of its own, which ends with all that it has started. */
export const CAN_LEAD = process.platform !== 'win32'

/** A child with, where it leads them, all that it has started. */
export interface Group {
  send(signal: NodeJS.Signals): void
  /** Ends what is left of it: first it is asked, and then killed. */
  end(): Promise<void>
  /** Forgets it. Until then it ends with this process, however that ends. */
  dismiss(): void
}

export function groupOf(child: ChildProcess, leads: boolean): Group {
  const target = child.pid === undefined ? undefined : leads ? -child.pid : child.pid
  const send = (signal: NodeJS.Signals): void => {
    if (target === undefined) return
    try {
      process.kill(target, signal)
    } catch {
      // It has ended in the meantime.
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

/** Waits until a process group is gone, for a while. */
async function waitUntilGone(group: number): Promise<void> {
  const end = performance.now() + GRACE_MS
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

/** Says why a command was not run, and gives the exit code that a shell has for that. */
export function notRun(io: CliIo, command: string, { code, message }: NodeJS.ErrnoException): number {
  if (code === 'ENOENT') {
    note(io, `${command} was not run: there is no such command. Check its name, or add its folder to PATH.`)
    return 127
  }
  const why =
    code === 'EACCES' ? 'it is not executable. Make it so with chmod +x, or name its interpreter.' : message
  note(io, `${command} was not run: ${why}`)
  return 126
}

/** Ends the command when this process is killed and cannot do so itself. Gives what calls that off. */
function startWatcher(target: number): () => void {
  if (process.platform === 'win32') return () => {}
  const script = 'read -r _; kill -s TERM -- "$0"; sleep 2; kill -s KILL -- "$0"'
  const watch = spawn('/bin/sh', ['-c', script, String(target)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell there is no watch, which is no reason not to run the command.
  watch.on('error', () => {})
  return () => void watch.kill('SIGKILL')
}

/** As a shell has it. */
export const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  signal === null ? (code ?? 1) : exitCodeOfSignal(signal)
