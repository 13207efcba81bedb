import { Readable, Writable } from 'node:stream'
import { connectSandbox, type Sandbox } from '../../client/connect-sandbox.ts'
import { sandboxFetch } from '../../client/sandbox-fetch.ts'
import { readStartOptions } from '../../runtime/config/read-options.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { variableIn } from '../../platform/system/environment.ts'
import { flagsUnderHeading, type FlagValues } from '../../runtime/config/flags.ts'
import { command, type Flags, type FlagsOf } from '../command.ts'
import { adminTokenFlag, sandboxFlag } from '../shared-flags.ts'
import { ownSandboxFlags, startFlags } from '../start-flags.ts'
import { findAddress, connect, type Address } from '../connect.ts'
import { createInterruption } from '../interruption.ts'
import { printMessage, type CommandIo } from '../io.ts'
import { openSandbox } from '../open-sandbox.ts'

const { json: _json, 'admin-token': _adminToken, ...startableFlags }: Flags = ownSandboxFlags

const mcpFlags = {
  ...flagsUnderHeading('A running sandbox', {
    sandbox: {
      ...sandboxFlag,
      text: 'connect to this sandbox instead of starting a new one (PAYLINK_URL)',
    },
    'admin-token': {
      ...adminTokenFlag,
      text: 'admin token of the sandbox (PAYLINK_ADMIN_TOKEN)',
    },
  }),
  ...startableFlags,
  quiet: { ...startableFlags.quiet, kind: 'switch', text: 'write only errors to stderr' },
} as const

export const mcp = command({
  text: 'let a coding assistant use a sandbox (Model Context Protocol)',
  flags: mcpFlags,
  examples: ['mcp', 'mcp --port 4400 --db .paylink/sandbox.db', 'mcp --sandbox http://127.0.0.1:4400'],
  exitCodes: '0: the assistant ended the connection. 1: failed. 2: usage error.',
  async run({ flags, values }, io) {
    using interruption = createInterruption(io, ['SIGINT', 'SIGTERM'])
    await using used = await sandboxFor(flags, values, io)
    // Loaded only when the command runs, because it would make `help` three times as slow.
    const { serveMcp } = await import('../../mcp/serve-mcp.ts')
    await serveMcp(
      { sandbox: keepFirst(used.connect), readText: (path) => readText(used.address, path) },
      {
        stdin: stdinOf(io),
        stdout: stdoutOf(io),
        signal: interruption.signal,
        onError: (error) => printMessage(io, `MCP: ${error.message}`),
      },
    )
    return 0
  },
})

interface UsedSandbox extends AsyncDisposable {
  readonly address: Address
  readonly connect: () => Promise<Sandbox>
}

/** The sandbox at `--sandbox` or PAYLINK_URL, which need not run yet. If there is no address, starts a new sandbox. */
async function sandboxFor(
  flags: FlagsOf<typeof mcpFlags>,
  values: FlagValues,
  io: CommandIo,
): Promise<UsedSandbox> {
  if (flags.sandbox !== undefined || variableIn(io.env, 'PAYLINK_URL') !== undefined) {
    rejectStartFlags(values, flags.sandbox === undefined ? 'PAYLINK_URL' : '--sandbox')
    const address = await findAddress(flags, io)
    return { address, connect: () => connect(flags, io), async [Symbol.asyncDispose]() {} }
  }
  // Ignores `json` and `quiet` of the configuration file, because they affect only the output of `start`.
  const options = { ...(await readStartOptions(values, io, true)), json: false }
  const running = await openSandbox(options, io)
  if (!options.quiet) printMessage(io, `Sandbox listening on ${running.url}`)
  const { adminToken } = options
  const address = { url: running.url, adminToken, certificate: running.certificate?.cert }
  return {
    address,
    connect: () => connectSandbox(running.url, address),
    [Symbol.asyncDispose]: () => running.close(),
  }
}

/** Rejects flags of `start` if the address of a running sandbox is set, because the flags would have no effect. */
function rejectStartFlags(values: object, name: string): void {
  const unusedFlag = Object.keys(values).find(
    (flag) => flag !== 'admin-token' && Object.hasOwn(startFlags, flag),
  )
  if (unusedFlag === undefined) return
  throw new UsageError(
    `--${unusedFlag} is for a new sandbox, and ${name} names a sandbox that is already running. Leave one of them out.`,
  )
}

/** Calls `open` once and keeps its result. If it fails, the next caller calls it again. */
function keepFirst<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined
  return () => {
    const promise = (kept ??= open())
    promise.catch(() => (kept = undefined))
    return promise
  }
}

async function readText({ url, adminToken, certificate }: Address, path: string): Promise<string> {
  const fetch = await sandboxFetch(url, certificate)
  const headers: Record<string, string> =
    adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
  const response = await fetch(url + path, { headers })
  if (response.ok) return response.text()
  throw new Error(`The sandbox at ${url} answered GET ${path} with HTTP ${response.status}.`)
}

const stdinOf = ({ stdin }: CommandIo): Readable =>
  stdin === undefined
    ? Readable.from([])
    : stdin === 'inherit'
      ? process.stdin
      : stdin instanceof Readable
        ? stdin
        : new Readable().wrap(stdin)

const stdoutOf = ({ stdout }: CommandIo): Writable =>
  stdout instanceof Writable
    ? stdout
    : new Writable({
        decodeStrings: false,
        write(chunk: string | Buffer, _encoding, written) {
          stdout.write(chunk.toString())
          written()
        },
      })
