import spawn from 'cross-spawn'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { CliIo } from '../io.ts'
import {
  CAN_LEAD_GROUP,
  CLOSE_TIMEOUT_MS,
  exitCodeOfCommand,
  groupOf,
  reportNotRun,
} from '../process-group.ts'

/** The exit status of a command, and the tail of its output. */
export interface CommandResult {
  readonly code: number
  readonly output: string
  readonly timedOut: boolean
}

interface Limits {
  readonly timeoutMs: number
  /** When aborted, ends the command and everything that it started. */
  readonly signal: AbortSignal
}

/** Runs a command without input, and captures the tail of its output. The command leads its own process group. */
export async function runCaptured(
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  { timeoutMs, signal }: Limits,
  io: CliIo,
): Promise<CommandResult> {
  const output = createTail()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    cwd: io.cwd,
    detached: CAN_LEAD_GROUP,
  })
  child.stdout?.on('data', output.add)
  child.stderr?.on('data', output.add)
  const closed = once(child, 'close').catch(() => {})
  const group = groupOf(child, CAN_LEAD_GROUP)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    void group.end()
  }, timeoutMs)
  const stop = (): void => void group.end()
  signal.addEventListener('abort', stop)

  try {
    const code = await new Promise<number>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(reportNotRun(io, command, error)))
      child.once('exit', (exit, ended) => resolve(exitCodeOfCommand(exit, ended)))
    })
    clearTimeout(timer)
    // Processes that the command left running could disturb the next run.
    await group.end()
    await Promise.race([closed, pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    return { code, output: output.text(), timedOut }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    child.stdout?.destroy()
    child.stderr?.destroy()
    group.dismiss()
  }
}

const MAX_BYTES = 64 * 1024

/** Keeps only the last bytes of an output, however long it gets. */
function createTail() {
  let kept = Buffer.alloc(0)
  return {
    add(chunk: Buffer): void {
      kept = Buffer.concat([kept, chunk]).subarray(-MAX_BYTES)
    },
    text: (): string => kept.toString('utf8'),
  }
}
