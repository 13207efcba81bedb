import { setTimeout as pause } from 'node:timers/promises'
import { flags as startFlags } from '../flags.ts'
import { readStartOptions } from '../options.ts'
import type { RunningSandbox } from '../sandbox.ts'
import { UsageProblem } from '../usage-problem.ts'
import { appEnvironment } from './app-environment.ts'
import { usageOf } from './commands.ts'
import { keepRun, prepare, type Keepsake } from './keep-run.ts'
import { openSandbox } from './open-sandbox.ts'
import { tell } from './print.ts'
import { readArguments, type FlagsOf } from './read-arguments.ts'
import { runCommand } from './run-command.ts'

const GRACE_MS = 2_000

/** Runs a command with a sandbox of its own, and ends as it ends. */
export async function exec(args: readonly string[]): Promise<number> {
  const split = args.indexOf('--')
  const own = split === -1 ? args : args.slice(0, split)
  const [command, ...rest] = split === -1 ? [] : args.slice(split + 1)
  const { flags } = readArguments('exec', own)
  if (command === undefined) {
    throw new UsageProblem(`exec needs a command after --. Write ${usageOf('exec')}.`)
  }
  // What configures the sandbox of every day is not to make this one take its port, or write to its database.
  const options = await readStartOptions(['--port=0', '--db=:memory:', ...asArguments(flags)], process.env)
  const keepsakes = keepsakesOf(flags)
  await prepare(keepsakes)

  const sandbox = await openSandbox(options)
  try {
    const { url, version } = sandbox
    const environment = appEnvironment(url, await sandbox.accounts())
    if (options.json) tell(JSON.stringify({ type: 'ready', url, version }))
    else if (!options.quiet) tell(`Sandbox listening on ${url}`)

    const code = await runCommand(command, rest, {
      ...withoutAccount(process.env),
      ...environment,
      ...(options.adminToken !== undefined && { PAYLINK_ADMIN_TOKEN: options.adminToken }),
    })
    if (keepsakes.length === 0) return code
    await settled(sandbox)
    const isKept = await keepRun({ url, adminToken: options.adminToken }, keepsakes)
    return isKept ? code : code || 1
  } finally {
    await sandbox.close()
  }
}

/** The flags of `start` among those of `exec`, as they were given. */
function asArguments(flags: FlagsOf<'exec'>): string[] {
  const given = Object.entries(flags).filter(([name]) => Object.hasOwn(startFlags, name))
  return given.flatMap(([name, value]) => {
    if (typeof value === 'boolean') return value ? [`--${name}`] : []
    return [value ?? []].flat().map((one) => `--${name}=${one}`)
  })
}

function keepsakesOf({ report, har }: FlagsOf<'exec'>): Keepsake[] {
  return [
    ...(report === undefined ? [] : [{ flag: 'report', file: report } as const]),
    ...(har === undefined ? [] : [{ flag: 'har', file: har } as const]),
  ]
}

/** A key of some other sandbox would be taken for one of this. */
function withoutAccount({
  PAYLINK_API_KEY: _key,
  PAYLINK_RECIPIENT_TOKEN: _token,
  ...rest
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return rest
}

/** The last webhooks belong to the run, but a receiver that never answers does not hold it up. */
const settled = (sandbox: RunningSandbox): Promise<void> =>
  Promise.race([sandbox.settled(), pause(GRACE_MS, undefined, { ref: false })])
