import { connect } from './connect.ts'
import { print } from './print.ts'
import { duration, readArguments } from './read-arguments.ts'

/** Waits until no webhook is due and none is underway. */
export async function settle(args: readonly string[]): Promise<number> {
  const { flags } = readArguments('settle', args)
  const timeoutMs = duration('timeout', flags.timeout)
  const sandbox = await connect(flags)
  const waits = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

  await waits.settled(timeoutMs === undefined ? {} : { timeoutMs })
  print(flags.json, { settled: true }, () => 'No webhook is due or underway')
  return 0
}
