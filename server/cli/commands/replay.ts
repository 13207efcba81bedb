import type { Sandbox } from '../../client/connect-sandbox.ts'
import { SandboxError } from '../../client/request.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { connect } from '../connect.ts'
import { deliveryLine } from '../../format/terminal-lines.ts'
import { type CommandIo, print } from '../io.ts'
import { readArguments } from '../read-arguments.ts'

/** Sends a webhook again. The exit code is 1 if it does not arrive, unless nobody waits for it. */
export async function replay(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('replay', args)
  const [id = ''] = operands
  if (!/^\d{1,15}$/.test(id)) {
    throw new UsageError(`${id} is not the id of a delivery. ${WHERE}`)
  }
  const { to, body } = flags
  const sandbox = await connect(flags, io)

  const asked = {
    ...(to !== undefined && { to }),
    ...(body !== undefined && { body }),
    ...(flags['no-wait'] && { wait: 'accepted' as const }),
  }
  const delivery = await sandbox.replay(Number(id), asked).catch(async (error: unknown) => {
    throw error instanceof SandboxError && error.status === 404
      ? await unknownDelivery(sandbox, Number(id))
      : error
  })
  print(io, flags.json, delivery, () => deliveryLine(delivery))
  return delivery.state === 'delivered' || flags['no-wait'] ? 0 : 1
}

const WHERE = 'The id is the number after Webhook in the output of paylink-sandbox pay and events.'

/** The error for an unknown id. `events` prints the number of an event and that of its webhook on one line, so they are easily confused. */
async function unknownDelivery(sandbox: Sandbox, id: number): Promise<UsageError> {
  const [event] = id === 0 ? [] : await sandbox.events({ after: id - 1, limit: 1 })
  const meant =
    event?.seq === id && 'deliveryId' in event
      ? `Event ${id} belongs to webhook ${event.deliveryId}: write paylink-sandbox replay ${event.deliveryId}.`
      : WHERE
  return new UsageError(`There is no delivery ${id}. ${meant}`)
}
