import type { Settled } from '../../client/waits.ts'
import { connect } from '../connect.ts'
import { defaultTimes } from '../default-times.ts'
import { type CommandIo, print } from '../io.ts'
import { duration, readArguments } from '../read-arguments.ts'

/** Waits until no webhook is due or under way, and prints how many were delivered or stored, failed and are held. */
export async function settle(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags } = readArguments('settle', args)
  const timeoutMs = duration('timeout', flags.timeout ?? defaultTimes.settle)
  const sandbox = await connect(flags, io)
  const waits = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

  const settled = await waits.settled({ timeoutMs })
  print(io, flags.json, settled, () => ['No webhook is due or under way', ...countsIn(settled)].join(': '))
  return 0
}

/** `2 delivered, 1 failed`, or nothing if there was no webhook. */
function countsIn({ delivered, stored, failed, held, pending }: Settled): string[] {
  const counts = {
    delivered: delivered - stored,
    'stored in a tunnel': stored,
    failed,
    held,
    'waiting for a retry': pending,
  }
  const nonZero = Object.entries(counts).filter(([, count]) => count > 0)
  return nonZero.length === 0 ? [] : [nonZero.map(([word, count]) => `${count} ${word}`).join(', ')]
}
