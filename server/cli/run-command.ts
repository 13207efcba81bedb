import spawn from 'cross-spawn'
import { isatty } from 'node:tty'
import { tell } from './print.ts'
import { CAN_LEAD, exitCodeOf, groupOf, notRun } from './process-group.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** What a terminal sends to everybody in front of it. */
const OF_THE_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Two are passed on, as the second means haste to many programs. Whoever asks a third time is not heard. */
const PATIENCE = 3

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
  const leadsGroup = !isAtTerminal && CAN_LEAD
  let asked = 0
  const passOn = (signal: NodeJS.Signals): void => {
    if (isAtTerminal && OF_THE_TERMINAL.includes(signal)) return
    asked += 1
    if (asked < PATIENCE) return group.send(signal)
    tell(`${command} goes on after ${asked - 1} signals, so it is killed.`)
    group.send('SIGKILL')
  }
  for (const signal of SIGNALS) process.on(signal, passOn)

  const child = spawn(command, [...args], { stdio: 'inherit', env, detached: leadsGroup })
  const group = groupOf(child, leadsGroup)
  try {
    return await new Promise<number>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(notRun(command, error)))
      child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)))
    })
  } finally {
    // Nobody else would end what it has left behind in its group, and the sandbox that was for ends too.
    if (leadsGroup) await group.end()
    group.dismiss()
    for (const signal of SIGNALS) process.off(signal, passOn)
  }
}
