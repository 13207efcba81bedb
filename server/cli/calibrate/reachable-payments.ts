import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isLoopback } from '../../domain/network/loopback.ts'
import type { Mask } from '../../domain/secrets/mask.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { listen, listenerName } from '../../client/listener/listen.ts'
import { ListenerRejectedError } from '../../client/listener/rejected-error.ts'
import { printMessage, type CommandIo } from '../io.ts'
import { readSecret } from '../connect.ts'
import { CAN_LEAD_GROUP, groupOf } from '../process-group.ts'
import { startPayments } from '../../verify/calibration/payments.ts'
import { rejectCredentials } from '../../runtime/config/reject-credentials.ts'

interface ReachablePaymentOptions {
  readonly target: string
  readonly receiver: string | undefined
  readonly port: number | undefined
  /** A command line that pays or cancels a link. If undefined, a person does it. */
  readonly command: string | undefined
  readonly payTimeoutMs: number
  readonly webhookTimeoutMs: number
  readonly mask: Mask
  readonly signal: AbortSignal
}

/** A tunnel of a sandbox: the origin of the sandbox and the name of the tunnel. */
interface SandboxTunnel {
  readonly url: string
  readonly tunnel: string
}

/** Starts a server for redirects and webhooks, and makes sure that requests to the receiver's address reach it. */
export async function startReachablePayments(
  { target, command, mask, ...options }: ReachablePaymentOptions,
  io: CommandIo,
) {
  const receiver = options.receiver === undefined ? undefined : readReceiver(options.receiver)
  if (receiver !== undefined && isLoopback(receiver) && !isLoopback(target)) {
    throw new UsageError(
      `${target} cannot reach --receiver ${receiver}, because that address is on this machine. Pass the address of a tunnel to this machine.`,
    )
  }
  const tunnel = receiver === undefined ? undefined : readTunnel(receiver)
  const port = options.port ?? (receiver === undefined || tunnel ? 0 : localPort(receiver))
  const closing = new AbortController()
  const payments = await startPayments({
    ...options,
    receiver,
    port,
    mask: mask.exchange,
    onWait: (text) => printMessage(io, text),
    async pay(link, outcome, signal) {
      printMessage(
        io,
        outcome === 'pay' ? `Pay this link by card: ${link}` : `Cancel the payment of this link: ${link}`,
      )
      return command === undefined ? undefined : runPayCommand(command, { link, outcome }, signal, io)
    },
  })
  let listening: Promise<void> | undefined
  const close = async (): Promise<void> => {
    closing.abort()
    await listening
    await payments[Symbol.asyncDispose]()
  }
  try {
    if (tunnel) {
      const to = `http://127.0.0.1:${payments.port}`
      await new Promise<void>((resolve, reject) => {
        listening = forwardTunnel(tunnel, { to, onConnected: resolve, onFailed: reject }, closing.signal, io)
      })
    }
    if (receiver !== undefined && !(await payments.isReachable())) {
      throw new UsageError(
        `A request to ${receiver} did not arrive at port ${payments.port} of this machine. Start your tunnel to this port first, or pass another address with --receiver.`,
      )
    }
  } catch (error) {
    await close()
    throw error
  }
  return { ...payments, [Symbol.asyncDispose]: close }
}

function readReceiver(receiver: string): string {
  rejectCredentials('--receiver', receiver, 'calibrate itself answers there, and asks for no password')
  if (/^https?:\/\/[^?#@]+$/.test(receiver) && URL.canParse(receiver)) return receiver.replace(/\/$/, '')
  throw new UsageError(
    `--receiver is ${receiver}. It must be an address without a query, like https://pay.dev.example/tunnel/calibrate.`,
  )
}

function readTunnel(receiver: string): SandboxTunnel | undefined {
  const [, tunnel] = /^\/tunnel\/([^/]+)$/.exec(new URL(receiver).pathname) ?? []
  return tunnel === undefined ? undefined : { url: new URL(receiver).origin, tunnel }
}

/** The port of the receiver's address if it is on this machine. `calibrate` then listens there itself. */
function localPort(receiver: string): number {
  const { port } = new URL(receiver)
  if (isLoopback(receiver) && port !== '') return Number(port)
  throw new UsageError(
    `--receiver ${receiver} leads to a port of this machine, but calibrate does not know which one. Pass the port with --port.`,
  )
}

interface TunnelTarget {
  /** The address on this machine. */
  readonly to: string
  readonly onConnected: () => void
  readonly onFailed: (error: unknown) => void
}

/** Forwards the requests of a sandbox's tunnel, until the signal is aborted. */
async function forwardTunnel(
  { url, tunnel }: SandboxTunnel,
  { to, onConnected, onFailed }: TunnelTarget,
  signal: AbortSignal,
  io: CommandIo,
): Promise<void> {
  const token = readSecret({}, io.env, ['PAYLINK_TOKEN', 'PAYLINK_ADMIN_TOKEN'])?.value
  const fail = (why: string): void =>
    onFailed(new UsageError(`The tunnel ${tunnel} at ${url} cannot be used: ${why}`))
  try {
    await listen(
      { url, token, tunnel, to, listener: listenerName(to), since: undefined },
      {
        onConnected,
        onUnreachable: (why) => fail(`no sandbox answers: ${why}. Start one there, or pass another address.`),
        onDisconnected: (why) => printMessage(io, `The connection to ${url} is lost: ${why}. Trying again.`),
        onTargetChange: () => {},
        onForwarded: () => {},
        onDropped: () => {},
      },
      signal,
    )
  } catch (error) {
    if (error instanceof ListenerRejectedError) fail(`${error.message} Pass its token with PAYLINK_TOKEN.`)
    else onFailed(error)
  }
}

/** Runs the command that pays. Returns why it failed, or `undefined` if it succeeded. */
async function runPayCommand(
  command: string,
  { link, outcome }: { readonly link: string; readonly outcome: string },
  signal: AbortSignal,
  io: CommandIo,
): Promise<string | undefined> {
  // The link's text comes from the service. A shell would execute it if it were in the command line, so it is passed in a
  // variable.
  const env = { ...process.env, ...io.env, PAYLINK_PAY_LINK: link, PAYLINK_ACTION: outcome }
  const child = spawn(command, {
    shell: true,
    env,
    cwd: io.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: CAN_LEAD_GROUP,
  })
  // Ending the group ends the shell and everything that it started, such as a browser.
  const group = groupOf(child, CAN_LEAD_GROUP)
  const end = (): void => void group.end()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => void io.stderr.write(text))
  try {
    const [code, ended] = (await once(child, 'close')) as [number | null, string | null]
    return code === 0 ? undefined : `the command of --pay-command ended with ${code ?? ended}`
  } catch (error) {
    return `the command of --pay-command failed: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    signal.removeEventListener('abort', end)
    group.dismiss()
  }
}
