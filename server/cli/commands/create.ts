import type { SandboxAccount } from '../../client/account.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import type { LinkFields } from '../../client/create-link.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { formatAmount } from '../../contract/format/values.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { oneOf, readArguments, type FlagsOf } from '../read-arguments.ts'

/** Creates a payment link with the API call that an app makes. */
export async function create(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags } = readArguments('create', args)
  const fields = fieldsOf(flags)
  const sandbox = await connect(flags, io)
  const account = await ownerOf(sandbox, flags.account, io)

  const link = await account.createLink(fields)
  print(io, flags.json, link, () =>
    [`Link ${link.id} of ${account.name}: ${formatAmount(link.amount)}`, link.payLink].join('\n'),
  )
  return 0
}

function fieldsOf(flags: FlagsOf<'create'>): LinkFields {
  if (flags.amount === undefined) {
    throw new UsageError('create requires --amount, in euros. Write paylink-sandbox create --amount 12.50.')
  }
  const splitType = oneOf('split-type', flags['split-type'], ['normal', 'absolute'])
  const recipients = flags.recipient.map(readRecipient)
  if (recipients.length === 0 && splitType !== undefined) {
    throw new UsageError('--split-type requires --recipient. Add the recipients of the shares.')
  }
  return {
    amount: readNumber('amount', flags.amount),
    ...(recipients.length > 0 && { recipients }),
    ...(splitType && { splitType }),
    ...(flags.note !== undefined && { note: flags.note }),
    ...(flags['callback-url'] !== undefined && { callbackUrl: flags['callback-url'] }),
    ...(flags['payment-endpoint'] !== undefined && { paymentEndpoint: flags['payment-endpoint'] }),
    ...(flags['not-cancellable'] && { cancellable: false }),
    ...(flags['bank-transfer'] && { bankTransfer: true }),
  }
}

function readRecipient(entry: string): { token: string; share: number } {
  const [token = '', share] = entry.split(/=(.*)/s)
  if (token === '' || share === undefined) {
    throw new UsageError(`Recipient ${entry} has no share. Write --recipient <token>=<share>.`)
  }
  return { token, share: readNumber('recipient', share) }
}

function readNumber(flag: string, value: string): number {
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  throw new UsageError(`--${flag} is ${value}. It must be a number like 12.50.`)
}

/** The account that was named, else the one with the key in the environment, else the first one. */
async function ownerOf(
  sandbox: Sandbox,
  named: string | undefined,
  { env }: CommandIo,
): Promise<SandboxAccount> {
  if (named !== undefined) return sandbox.account(named)
  const accounts = await sandbox.accounts()
  const key = env.PAYLINK_API_KEY || undefined
  const owner = accounts.find(({ apiKey, environment }) =>
    key === undefined ? environment === 'development' : apiKey === key,
  )
  if (owner !== undefined) return owner
  throw new UsageError(
    key === undefined
      ? `The sandbox at ${sandbox.url} has no account. To load those of its seed, run paylink-sandbox reset.`
      : `No account of the sandbox at ${sandbox.url} has the key in PAYLINK_API_KEY. Pass --account, or unset PAYLINK_API_KEY.`,
  )
}
