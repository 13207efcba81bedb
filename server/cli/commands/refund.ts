import type { RefundView } from '../../contract/views.ts'
import { formatAmount } from '../../contract/format/values.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { readAction } from '../read-action.ts'
import { readArguments } from '../read-arguments.ts'

/** Lists refund requests, or decides one as the operator. */
export async function refund(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands: given } = readArguments('refund', args)
  const { action, operands } = readAction('refund', given)
  const sandbox = await connect(flags, io)

  if (action === 'list') {
    const refunds = await sandbox.refunds.list()
    print(io, flags.json, refunds, () => refunds.map(line).join('\n') || 'No refund was requested')
    return 0
  }
  const decided = await sandbox.refunds[action](operands[0]!)
  print(io, flags.json, decided, () => line(decided))
  return 0
}

const line = ({ payId, amount, state }: RefundView): string =>
  `Refund of ${formatAmount(amount)} for pay ${payId}: ${state}`
