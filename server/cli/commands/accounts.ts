import type { SandboxAccount } from '../../client/account.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { readAction } from '../read-action.ts'
import { readArguments } from '../read-arguments.ts'

/** Lists the accounts with their keys, or creates one. */
export async function accounts(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands: given } = readArguments('accounts', args)
  const { action, operands } = readAction('accounts', given)
  const sandbox = await connect(flags, io)

  if (action === 'list') {
    const all = await sandbox.accounts()
    print(io, flags.json, all.map(dataOf), () => all.map(text).join('\n'))
    return 0
  }
  const [name] = operands
  const created = await sandbox.createAccount(name === undefined ? {} : { name })
  print(io, flags.json, dataOf(created), () => text(created))
  return 0
}

const dataOf = ({ id, name, environment, apiKey, recipientToken, paymentEndpoint }: SandboxAccount) => ({
  id,
  name,
  environment,
  apiKey,
  recipientToken,
  paymentEndpoint,
})

const text = ({ id, name, apiKey, recipientToken, paymentEndpoint }: SandboxAccount): string =>
  [
    name,
    `  id               ${id}`,
    `  API key          ${apiKey}`,
    `  recipient token  ${recipientToken}`,
    `  webhooks go to   ${paymentEndpoint || 'nowhere: no payment endpoint is set'}`,
  ].join('\n')
