import spawn from 'cross-spawn'
import { spawn as spawnPlain } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { tell } from './print.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** What a terminal sends to everybody in front of it. */
const OF_THE_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Two are passed on, as the second means haste to many programs. Whoever asks a third time is not heard. */
const PATIENCE = 3

/** From here on an exit code says that a command could not be run, or was ended by a signal. */
export const NOT_RUN = 126

/** How long what a command leaves behind may take to end. */
const GRACE_MS = 2_000
const GLANCE_MS = 20

/**
 * Runs a command with this process's input and output, and gives the exit code a shell would: 128 and the signal
 * that ended it, 127 where there is no such command, 126 where it cannot be run.
 *
 * Away from a terminal it leads a process group of its own, so that a signal sent to ours reaches it once, by us,
 * with all that it has started. At a terminal it stays in ours, or it could not read what is typed; Ctrl-C
 * reaches it there without us.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const isAtTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
  const leadsGroup = !isAtTerminal && process.platform !== 'win32'
  let asked = 0
  const passOn = (signal: NodeJS.Signals): void => {
    if (isAtTerminal && OF_THE_TERMINAL.includes(signal)) return
    asked += 1
    if (asked < PATIENCE) return send(signal)
    tell(`${command} goes on after ${asked - 1} signals, so it is killed.`)
    send('SIGKILL')
  }
  const kill = (): void => send('SIGKILL')
  for (const signal of SIGNALS) process.on(signal, passOn)

  const child = spawn(command, [...args], { stdio: 'inherit', env, detached: leadsGroup })
  const target = child.pid === undefined ? undefined : leadsGroup ? -child.pid : child.pid
  function send(signal: NodeJS.Signals): void {
    if (target === undefined) return
    try {
      process.kill(target, signal)
    } catch {
      // It has ended in the meantime.
    }
  }
  const dismiss = target === undefined ? () => {} : keepWatch(target)
  process.once('exit', kill)

  try {
    return await new Promise<number>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(notRun(command, error)))
      child.once('exit', (code, signal) =>
        resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]),
      )
    })
  } finally {
    // Nobody else would end what it has left behind in its group, and the sandbox that was for ends too.
    if (leadsGroup && target !== undefined) {
      send('SIGTERM')
      await gone(target)
      send('SIGKILL')
    }
    dismiss()
    process.off('exit', kill)
    for (const signal of SIGNALS) process.off(signal, passOn)
  }
}

/** Waits until a process group is gone, for a while. */
async function gone(group: number): Promise<void> {
  const end = performance.now() + GRACE_MS
  while (isThere(group) && performance.now() < end) await pause(GLANCE_MS)
}

function isThere(target: number): boolean {
  try {
    process.kill(target, 0)
    return true
  } catch {
    return false
  }
}

function notRun(command: string, { code, message }: NodeJS.ErrnoException): number {
  if (code === 'ENOENT') {
    tell(`${command} was not run: there is no such command. Check its name, or add its folder to PATH.`)
    return 127
  }
  const why =
    code === 'EACCES' ? 'it is not executable. Make it so with chmod +x, or name its interpreter.' : message
  tell(`${command} was not run: ${why}`)
  return 126
}

/** Ends the command when this process is killed and cannot do so itself. Gives what calls that off. */
function keepWatch(target: number): () => void {
  if (process.platform === 'win32') return () => {}
  const script = 'read -r _; kill -s TERM -- "$0"; sleep 2; kill -s KILL -- "$0"'
  const watch = spawnPlain('/bin/sh', ['-c', script, String(target)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell there is no watch, which is no reason not to run the command.
  watch.on('error', () => {})
  return () => void watch.kill('SIGKILL')
}
