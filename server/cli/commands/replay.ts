import { deliveryLine } from '../../contract/format/terminal-lines.ts'
import { connect } from '../connect.ts'
import { deliveryAdvice } from '../delivery-advice.ts'
import { explainUnknownDelivery, readDelivery } from '../delivery-operand.ts'
import { type CommandIo, print } from '../io.ts'
import { readArguments } from '../read-arguments.ts'

/** Sends a webhook again. The exit code is 1 if it does not arrive. With --no-wait the command does not check this. */
export async function replay(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('replay', args)
  const id = readDelivery(operands[0]!)
  const { to, body } = flags
  const sandbox = await connect(flags, io)

  const asked = {
    ...(to !== undefined && { to }),
    ...(body !== undefined && { body }),
    ...(flags['no-wait'] && { wait: 'accepted' as const }),
  }
  const delivery = await sandbox
    .replay(id, asked)
    .catch((error: unknown) => explainUnknownDelivery(error, 'replay', sandbox, id))
  const advice = flags.json ? [] : await deliveryAdvice(sandbox, [delivery])
  print(io, flags.json, delivery, () => [deliveryLine(delivery), ...advice].join('\n'))
  return delivery.state === 'delivered' || flags['no-wait'] ? 0 : 1
}
