import type { SandboxAccount } from '../client/account.ts'
import type { Sandbox } from '../client/connect-sandbox.ts'
import type { LinkFields } from '../client/create-link.ts'
import { splitTypes } from '../domain/money/split.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { invalidValue } from '../runtime/config/option.ts'
import { flagsUnderHeading } from '../runtime/config/flags.ts'
import type { FlagsOf } from './command.ts'
import { readSecret, type Secret } from './connect.ts'
import type { CliIo } from './io.ts'
import { oneOf } from './read-values.ts'

/** The flags of every command that can create a link. */
export const newLinkFlags = {
  amount: {
    kind: 'text',
    value: '<euros>',
    text: 'amount in euros, like 12.50',
    expected: 'a number of euros above 0 with at most two decimals, like 12.50',
  },
  recipient: {
    kind: 'list',
    value: '<token>=<share>',
    text: 'recipient token and its share, in percent or euros; repeatable',
  },
  'split-type': {
    kind: 'text',
    value: '<type>',
    text: 'unit of the shares: normal for percent, absolute for euros (normal)',
  },
  note: {
    kind: 'text',
    isVerbatim: true,
    canBeEmpty: true,
    value: '<text>',
    text: 'recipient note, such as an order number',
  },
  'callback-url': {
    kind: 'text',
    value: '<url>',
    text: 'address that the browser returns to after the payment',
  },
  'payment-endpoint': {
    kind: 'text',
    value: '<target>',
    text: 'address that receives the webhooks (the payment endpoint of the account)',
  },
  account: {
    kind: 'text',
    value: '<id|name>',
    text: 'account that owns the link (the account of the API key, or else the first account)',
  },
  key: { kind: 'text', value: '<key>', text: 'API key of the account that owns the link (PAYLINK_API_KEY)' },
} as const

/** The flags of `newLinkFlags` for a command that takes a link. It creates one if an amount is passed. */
export const optionalLinkFlags = flagsUnderHeading('To create the link', {
  ...newLinkFlags,
  amount: {
    ...newLinkFlags.amount,
    text: 'instead of <link>: create a link for this amount in euros, like 12.50, with the flags below',
  },
})

type NewLinkFlags = FlagsOf<typeof newLinkFlags>

/** The fields of the link that the flags of `create` or `pay --amount` describe. */
export function readLinkFields(flags: NewLinkFlags & { readonly amount: string }): LinkFields {
  const splitType = oneOf('split-type', flags['split-type'], splitTypes)
  const recipients = flags.recipient.map(readRecipient)
  if (recipients.length === 0 && splitType !== undefined) {
    throw new UsageError('--split-type requires --recipient. Add the recipients of the shares.')
  }
  if (flags.account !== undefined && flags.key !== undefined) {
    throw new UsageError('--account and --key both name the owner of the link. Leave out one of them.')
  }
  return {
    amount: readAmount(flags.amount),
    ...(recipients.length > 0 && { recipients }),
    ...(splitType && { splitType }),
    ...(flags.note !== undefined && { note: flags.note }),
    ...(flags['callback-url'] !== undefined && { callbackUrl: flags['callback-url'] }),
    ...(flags['payment-endpoint'] !== undefined && { paymentEndpoint: flags['payment-endpoint'] }),
  }
}

function readAmount(value: string): number {
  if (/^\d+(\.\d{1,2})?$/.test(value) && Number(value) > 0) return Number(value)
  throw invalidValue('--amount', value, newLinkFlags.amount.expected)
}

function readRecipient(entry: string): { token: string; share: number } {
  const [token = '', share] = entry.split(/=(.*)/s)
  if (token === '' || share === undefined) {
    throw new UsageError(`Recipient ${entry} has no share. Write --recipient <token>=<share>.`)
  }
  if (/^-?\d+(\.\d+)?$/.test(share)) return { token, share: Number(share) }
  throw new UsageError(`--recipient is ${entry}. Its share must be a number like 12.50.`)
}

/** An existing link, or the fields of a new one. */
type LinkChoice =
  | { readonly link: string; readonly fields?: undefined }
  | { readonly link?: undefined; readonly fields: LinkFields }

/** Reads which link a command is about: its operand, or a new link that its flags describe. */
export function readLinkChoice({
  name,
  usage,
  flags,
  operands: [link],
}: {
  readonly name: string
  readonly usage: string
  readonly flags: NewLinkFlags
  readonly operands: readonly [string?]
}): LinkChoice {
  const { amount } = flags
  if (link === undefined) {
    if (amount !== undefined) return { fields: readLinkFields({ ...flags, amount }) }
    throw new UsageError(
      `${name} requires a link, or --amount for a new one. Write npx paylink-sandbox ${name} <link>, or npx paylink-sandbox ${name} --amount 5.`,
    )
  }
  // The operand is empty if a variable in a script is not set.
  if (link === '') throw new UsageError(`<link> is empty. Write ${usage}.`)
  const flag = Object.keys(newLinkFlags).find((one) => {
    const value = flags[one as keyof NewLinkFlags]
    return value !== undefined && value.length > 0
  })
  if (flag === undefined) return { link }
  throw new UsageError(
    flag === 'amount'
      ? `${name} takes a link or --amount, not both. Leave out ${link} to create a link, or leave out --amount.`
      : `--${flag} is for a new link, but ${link} names an existing link. Leave out --${flag}, or replace ${link} with --amount <euros>.`,
  )
}

/** Returns the link that a command is about. Creates it first if the flags describe a new one. */
export async function openLink(
  sandbox: Sandbox,
  { link, fields }: LinkChoice,
  flags: NewLinkFlags,
  io: CliIo,
): Promise<string | number> {
  if (fields === undefined) return link
  const owner = await ownerOf(sandbox, flags, io)
  return (await owner.createLink(fields)).id
}

/** The API key from the flag, or otherwise from the environment. */
export const readKey = ({ key }: Pick<NewLinkFlags, 'key'>, { env }: CliIo): Secret | undefined =>
  readSecret({ '--key': key }, env, ['PAYLINK_API_KEY'])

/** The account named by a flag, or the account with the API key, or the first account. */
export async function ownerOf(sandbox: Sandbox, flags: NewLinkFlags, io: CliIo): Promise<SandboxAccount> {
  if (flags.account !== undefined) return sandbox.account(flags.account)
  const accounts = await sandbox.accounts()
  const userKey = readKey(flags, io)
  const owner = accounts.find(({ apiKey, environment }) =>
    userKey === undefined ? environment === 'development' : apiKey === userKey.value,
  )
  if (owner !== undefined) return owner
  throw new UsageError(
    userKey === undefined
      ? `The sandbox at ${sandbox.url} has no account. To load the accounts of its seed, run npx paylink-sandbox reset.`
      : unknownKeyText(sandbox.url, userKey.name),
  )
}

export const unknownKeyText = (url: string, name: string): string =>
  `No account of the sandbox at ${url} has the key in ${name}. Pass --account, or ${name === '--key' ? 'correct --key' : `unset ${name}`}.`
