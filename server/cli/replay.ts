import { UsageProblem } from '../usage-problem.ts'
import { connect } from './connect.ts'
import { deliveryLine, print } from './print.ts'
import { readArguments } from './read-arguments.ts'

/** Sends a webhook again. That it arrives is what was asked for, unless nobody waits for it. */
export async function replay(args: readonly string[]): Promise<number> {
  const { flags, operands } = readArguments('replay', args)
  const [id = ''] = operands
  if (!/^\d{1,15}$/.test(id)) {
    throw new UsageProblem(`${id} is no delivery. Its id is a number, paylink-sandbox pay shows it.`)
  }
  const { to, body } = flags
  const sandbox = await connect(flags)

  const delivery = await sandbox.replay(Number(id), {
    ...(to !== undefined && { to }),
    ...(body !== undefined && { body }),
    ...(flags['no-wait'] && { wait: 'accepted' }),
  })
  print(flags.json, delivery, () => deliveryLine(delivery))
  return delivery.state === 'delivered' || flags['no-wait'] ? 0 : 1
}
