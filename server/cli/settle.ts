import { explainWait } from '../client/explain-wait.ts'
import { createRequest } from '../client/request.ts'
import { addressOf, connect } from './connect.ts'
import { print } from './print.ts'
import { duration, readArguments } from './read-arguments.ts'

/** Waits until no webhook is due and none is underway, and tells what became of those there were. */
export async function settle(args: readonly string[]): Promise<number> {
  const { flags } = readArguments('settle', args)
  const timeoutMs = duration('timeout', flags.timeout) ?? 5_000
  const sandbox = await connect(flags)
  const account = flags.account === undefined ? undefined : (await sandbox.account(flags.account)).id

  const { url, adminToken } = await addressOf(flags)
  const body = { ...(account !== undefined && { account }), timeoutMs }
  const settled = await createRequest(url, adminToken)<Settled>('POST', '/settle', { body }).catch(
    explainWait,
  )
  print(flags.json, settled, () => ['No webhook is due or underway', ...countsIn(settled)].join(': '))
  return 0
}

type Settled = Readonly<Record<'deliveries' | 'delivered' | 'failed' | 'held' | 'pending', number>>

/** `2 delivered, 1 failed`, or nothing where no webhook was ever due. */
function countsIn({ delivered, failed, held, pending }: Settled): string[] {
  const counts = { delivered, failed, held, 'to be tried again': pending }
  const told = Object.entries(counts).filter(([, count]) => count > 0)
  return told.length === 0 ? [] : [told.map(([word, count]) => `${count} ${word}`).join(', ')]
}
