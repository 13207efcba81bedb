import spawn from 'cross-spawn'
import { once } from 'node:events'
import { isatty } from 'node:tty'
import { onSignals } from './interruption.ts'
import { printMessage, type CommandIo, type Output } from './io.ts'
import {
  CAN_LEAD_GROUP,
  CLOSE_TIMEOUT_MS,
  exitCodeOfCommand,
  groupOf,
  reportNotRun,
} from './process-group.ts'
import { setTimeout as pause } from 'node:timers/promises'

/** Signals that a terminal sends to every process in its foreground group. */
const SENT_BY_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Many programs end faster on a second signal, so two signals are passed on. The third one kills the command. */
const SIGNALS_TO_KILL = 3

/**
 * Runs a command with the input and output of `io`. Resolves with the exit code that a shell would report. Without a terminal,
 * the command leads its own process group, and our signals are passed on to it. At a terminal, the command stays in our group,
 * because a background group cannot read the keyboard. It then receives Ctrl-C directly.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  io: CommandIo,
): Promise<number> {
  const { stdout, stderr } = io.child
  const stdio = [stdinOf(io), outputOf(stdout, process.stdout), outputOf(stderr, process.stderr)]
  const isAtTerminal = stdio.some((one, descriptor) => one === 'inherit' && isatty(descriptor))
  const leadsGroup = !isAtTerminal && CAN_LEAD_GROUP
  let received = 0
  const passOn = (signal: NodeJS.Signals): void => {
    if (isAtTerminal && SENT_BY_TERMINAL.includes(signal)) return
    received += 1
    if (received < SIGNALS_TO_KILL) return group.send(signal)
    printMessage(io, `${command} still runs after ${received - 1} signals, so it is killed.`)
    group.send('SIGKILL')
  }
  using _ = onSignals(io, passOn)

  const child = spawn(command, [...args], { stdio, env, cwd: io.cwd, detached: leadsGroup })
  const closed = once(child, 'close').catch(() => {})
  if (child.stdin !== null && typeof io.stdin === 'object') io.stdin.pipe(child.stdin)
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void stdout.write(text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void stderr.write(text))
  const group = groupOf(child, leadsGroup)
  try {
    return await new Promise<number>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(reportNotRun(io, command, error)))
      child.once('exit', (code, signal) => resolve(exitCodeOfCommand(code, signal)))
    })
  } finally {
    // Ends processes that the command left running in its group, because the sandbox that they use also ends.
    if (leadsGroup) await group.end()
    if (stdio.includes('pipe'))
      await Promise.race([closed, pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    group.dismiss()
  }
}

type Stdio = 'inherit' | 'ignore' | 'pipe'

const stdinOf = ({ stdin }: CommandIo): Stdio =>
  stdin === undefined ? 'ignore' : stdin === 'inherit' ? 'inherit' : 'pipe'

const outputOf = (output: Output, standard: Output): Stdio => (output === standard ? 'inherit' : 'pipe')
