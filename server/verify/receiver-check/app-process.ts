import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { portOf } from '../../domain/network/urls.ts'
import { CheckError } from '../app/run/check-error.ts'

const START_TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 50
const MAX_OUTPUT = 2_000

export interface AppProcess extends AsyncDisposable {
  /** Kills the app at once, and starts it again. Resolves when it listens. */
  restart(): Promise<void>
}

/** Starts an app, and waits until it listens at the address of the receiver. */
export async function startApp(
  command: string,
  receiver: string,
  signal: AbortSignal | undefined,
  onOutput: (text: string) => void,
): Promise<AppProcess> {
  if (await isListening(receiver)) {
    throw new CheckError(
      `Something already listens at ${receiver}. Stop your app first: the check starts it with the restart command.`,
    )
  }
  let child = await start()
  const killNow = (): void => kill(child)
  process.once('exit', killNow)

  async function start(): Promise<ChildProcess> {
    const started = spawn(command, {
      shell: true,
      // A separate process group, so that the shell and everything that it starts are killed together.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-MAX_OUTPUT)
        onOutput(chunk.toString())
      })
    }
    const end = performance.now() + START_TIMEOUT_MS
    while (!(await isListening(receiver))) {
      const hasEnded = started.exitCode !== null || started.signalCode !== null
      if (hasEnded || signal?.aborted || performance.now() > end) {
        kill(started)
        signal?.throwIfAborted()
        throw new CheckError(
          `The restart command ${command} ${hasEnded ? 'ended' : `did not start an app at ${receiver} within ${START_TIMEOUT_MS / 1000} s`}. ${output.trim() === '' ? 'It printed nothing.' : `It printed: ${output.trim()}`}`,
        )
      }
      await pause(POLL_INTERVAL_MS)
    }
    return started
  }

  async function stop(): Promise<void> {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    kill(child)
    await ended
  }

  return {
    async restart() {
      await stop()
      child = await start()
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', killNow)
      await stop()
    },
  }
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** Whether this process can connect to an address. */
export async function isListening(text: string): Promise<boolean> {
  const url = new URL(text)
  const socket = connect({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(url),
  })
  return new Promise((resolve) => {
    const finish = (isOpen: boolean): void => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
