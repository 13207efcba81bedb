import type { Settled } from '../../client/waits.ts'
import { command } from '../command.ts'
import { accountFlag, connectionFlags } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { print } from '../io.ts'
import { duration } from '../read-values.ts'
import { countMissed, verdictLines } from '../run-verdict.ts'

const DEFAULT_TIMEOUT = '5s'

export const settle = command({
  text: 'wait until no webhook is due or underway, and print how many were delivered and which payments your app missed',
  flags: {
    timeout: {
      kind: 'text',
      value: '<time>',
      text: `maximum time, like 500ms, 5s or 1m (${DEFAULT_TIMEOUT})`,
    },
    account: accountFlag,
    ...connectionFlags,
  },
  examples: ['settle --timeout 20s', 'settle --account "Flower Shop" --json'],
  async run({ flags }, io) {
    const timeoutMs = duration('timeout', flags.timeout ?? DEFAULT_TIMEOUT)
    const sandbox = await connect(flags, io)
    const waits = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

    const settled = await waits.settled({ timeoutMs })
    // The counts alone do not say which payments the failed webhooks belong to, or whether a replay has arrived since.
    const verdict = flags.json || hasAllDelivered(settled) ? [] : await verdictLines(waits)
    const counts = ['No webhook is due or underway', ...countsIn(settled)].join(': ')
    const missed = flags.json ? await countMissed(waits) : 0
    print(io, flags.json, { ...settled, missed }, () => [counts, ...verdict].join('\n'))
    return 0
  },
})

const hasAllDelivered = ({ deliveries, delivered, stored }: Settled): boolean =>
  delivered - stored === deliveries

/** `2 delivered, 1 failed`. Empty if there was no webhook. */
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
