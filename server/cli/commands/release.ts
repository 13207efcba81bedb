import { deliveryLine } from '../../contract/format/terminal-lines.ts'
import { connect } from '../connect.ts'
import { deliveryAdvice } from '../delivery-advice.ts'
import { explainUnknownDelivery, readDelivery } from '../delivery-operand.ts'
import { type CommandIo, print } from '../io.ts'
import { readArguments } from '../read-arguments.ts'

/**
 * Sends a held webhook once. The exit code is 1 if it does not arrive. With --no-wait the command does not check this.
 */
export async function release(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('release', args)
  const id = readDelivery(operands[0]!)
  const sandbox = await connect(flags, io)

  const delivery = await sandbox
    .release(id, flags['no-wait'] ? { wait: 'accepted' } : {})
    .catch((error: unknown) => explainUnknownDelivery(error, 'release', sandbox, id))
  const advice = flags.json ? [] : await deliveryAdvice(sandbox, [delivery])
  print(io, flags.json, delivery, () => [deliveryLine(delivery), ...advice].join('\n'))
  return delivery.state === 'delivered' || flags['no-wait'] ? 0 : 1
}
