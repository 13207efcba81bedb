import { deliveryLine } from '../../contract/format/terminal-lines.ts'
import type { DeliveryView } from '../../contract/views.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import { completeAddress } from '../../domain/network/complete-address.ts'
import { command } from '../command.ts'
import { connect } from '../connect.ts'
import { deliveryAdvice } from '../delivery-advice.ts'
import { explainUnknownDelivery, readDelivery } from '../delivery-operand.ts'
import { type CommandIo, print } from '../io.ts'
import { connectionFlags } from '../shared-flags.ts'

const noWaitFlag = { kind: 'switch', text: 'do not wait until the webhook is sent' } as const

const DELIVERY_NOTE = ['<delivery> is the number after Webhook in the output of pay and events.']

export const replay = command({
  text: 'send a webhook again',
  operands: ['<delivery>'],
  flags: {
    to: {
      kind: 'text',
      value: '<url>',
      text: 'send the webhook to this address instead of the original one',
    },
    body: {
      kind: 'text',
      isVerbatim: true,
      canBeEmpty: true,
      value: '<text>',
      text: 'send this body instead of the original one',
    },
    'no-wait': noWaitFlag,
    ...connectionFlags,
  },
  examples: ['replay 1', 'replay 1 --to http://localhost:3000/webhooks'],
  notes: () => [DELIVERY_NOTE],
  async run({ flags, operands }, io) {
    const id = readDelivery(operands[0])
    const { body } = flags
    const to = flags.to && completeAddress(flags.to)
    const sandbox = await connect(flags, io)

    const delivery = await sandbox
      .replay(id, {
        ...(to !== undefined && { to }),
        ...(body !== undefined && { body }),
        ...(flags['no-wait'] && { wait: 'accepted' }),
      })
      .catch((error: unknown) => explainUnknownDelivery(error, 'replay', sandbox, id))
    return printDelivery(delivery, sandbox, flags, io)
  },
})

export const allow = command({
  text: 'send a held webhook once, although its host is not allowed',
  operands: ['<delivery>'],
  flags: { 'no-wait': noWaitFlag, ...connectionFlags },
  examples: ['allow 1', 'allow 1 --no-wait --json'],
  notes: () => [DELIVERY_NOTE],
  async run({ flags, operands }, io) {
    const id = readDelivery(operands[0])
    const sandbox = await connect(flags, io)

    const delivery = await sandbox
      .allow(id, flags['no-wait'] ? { wait: 'accepted' } : {})
      .catch((error: unknown) => explainUnknownDelivery(error, 'allow', sandbox, id))
    return printDelivery(delivery, sandbox, flags, io)
  },
})

/** Prints a delivery. The exit code is 1 if the webhook did not arrive. With --no-wait, the result is not known yet. */
async function printDelivery(
  delivery: DeliveryView,
  sandbox: Sandbox,
  flags: { readonly json: boolean; readonly 'no-wait': boolean },
  io: CommandIo,
): Promise<number> {
  const advice = flags.json ? [] : await deliveryAdvice(sandbox, [delivery])
  print(io, flags.json, delivery, () => [deliveryLine(delivery), ...advice].join('\n'))
  return delivery.state === 'delivered' || flags['no-wait'] ? 0 : 1
}
