import type { SandboxAccount } from '../../client/account.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import { SandboxError } from '../../contract/sandbox-error.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { command, type FlagsOf } from '../command.ts'
import { connectionFlags } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { print } from '../io.ts'

const accountsFlags = {
  'payment-endpoint': {
    kind: 'text',
    value: '<url>',
    text: 'with create: address of webhooks for links without a payment_endpoint (none)',
  },
  'callback-url': {
    kind: 'list',
    value: '<url>',
    text: 'with create: a callback URL; links can refer to it by its index, which counts from 0; repeatable',
  },
  ...connectionFlags,
} as const

export const accounts = command({
  text: 'list accounts with their keys, or create one',
  actions: {
    list: { operands: [], text: 'list accounts; the default' },
    create: { operands: ['[name]'], text: 'create an account' },
  },
  flags: accountsFlags,
  examples: ['accounts', 'accounts create "Market stall" --payment-endpoint http://localhost:3000/webhooks'],
  async run({ flags, action, operands }, io) {
    const settings = readSettings(flags)
    if (action !== 'create' && settings.length > 0) {
      throw new UsageError(
        `--${settings[0]!.flag} is for a new account. Write npx paylink-sandbox accounts create <name> --${settings[0]!.flag} <url>.`,
      )
    }
    const sandbox = await connect(flags, io)

    if (action === 'list') {
      const all = await sandbox.accounts()
      print(io, flags.json, all.map(dataOf), () => all.map(text).join('\n'))
      return 0
    }
    const [name] = operands
    if (name !== undefined) await rejectTakenName(sandbox, name)
    const created = await sandbox
      .createAccount({
        ...(name !== undefined && { name }),
        ...Object.fromEntries(settings.map(({ field, value }) => [field, value])),
      })
      .catch((error: unknown) => {
        throw nameFlag(error, settings)
      })
    print(io, flags.json, dataOf(created), () => text(created))
    return 0
  },
})

/**
 * Rejects the name of an existing account. The API allows equal names, but a second account with this name would make
 * `--account` ambiguous.
 */
async function rejectTakenName(sandbox: Sandbox, name: string): Promise<void> {
  const taken = (await sandbox.accounts()).find((account) => account.name === name)
  if (taken === undefined) return
  throw new SandboxError(
    `There is already an account named ${JSON.stringify(name)}, with the id ${taken.id}. Use it: \`npx paylink-sandbox accounts\` lists its keys. Or choose another name.`,
    'POST /_sandbox/v1/accounts',
    409,
  )
}

/** Turns the passed flags into the fields of an account. */
const readSettings = (flags: FlagsOf<typeof accountsFlags>): Setting[] => [
  ...(flags['payment-endpoint'] === undefined
    ? []
    : [{ flag: 'payment-endpoint', field: 'paymentEndpoint', value: flags['payment-endpoint'] }]),
  ...(flags['callback-url'].length === 0
    ? []
    : [{ flag: 'callback-url', field: 'callbackUrls', value: flags['callback-url'] }]),
]

interface Setting {
  readonly flag: string
  readonly field: string
  readonly value: string | readonly string[]
}

/** Turns an error about a field of the control API into an error about the flag that set it. */
function nameFlag(error: unknown, settings: readonly Setting[]): unknown {
  const errors = error instanceof SandboxError ? error.problem.errors : undefined
  const [first] = (Array.isArray(errors) ? errors : []) as readonly { path: string; message: string }[]
  const [field, index] = first?.path.split('.') ?? []
  const setting = settings.find((one) => one.field === field)
  if (first === undefined || setting === undefined) return error
  const { value } = setting
  const entry = typeof value === 'string' ? value : value[Number(index)]
  return new UsageError(`--${setting.flag}${entry === undefined ? '' : ` is ${entry}. It`} ${first.message}.`)
}

const dataOf = ({
  id,
  name,
  environment,
  apiKey,
  recipientToken,
  paymentEndpoint,
  callbackUrls,
}: SandboxAccount) => ({
  id,
  name,
  environment,
  apiKey,
  recipientToken,
  paymentEndpoint,
  callbackUrls,
})

const text = ({ id, name, apiKey, recipientToken, paymentEndpoint, callbackUrls }: SandboxAccount): string =>
  [
    name,
    `  id               ${id}`,
    `  API key          ${apiKey}`,
    `  recipient token  ${recipientToken}`,
    `  webhooks go to   ${paymentEndpoint || 'nowhere: no payment endpoint is set'}`,
    ...callbackUrls.map((url, index) => `  ${`callback_url ${index}`.padEnd(17)}${url}`),
  ].join('\n')
