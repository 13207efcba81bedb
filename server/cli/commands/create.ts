import { createApi } from '../../client/api.ts'
import { requestLink, type LinkFields } from '../../client/create-link.ts'
import { sandboxFetch } from '../../client/sandbox-fetch.ts'
import { SandboxError } from '../../contract/sandbox-error.ts'
import type { ApiErrorCode } from '../../domain/api/api-error.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { formatAmount } from '../../contract/format/values.ts'
import { command, type FlagsOf } from '../command.ts'
import { connectionFlags } from '../shared-flags.ts'
import { findAddress, connectAt, connectIfAdmitted, type Address, type Secret } from '../connect.ts'
import { newLinkFlags, ownerOf, readKey, readLinkFields, unknownKeyText } from '../new-link.ts'
import { type CommandIo, print } from '../io.ts'

const createFlags = {
  ...newLinkFlags,
  'not-cancellable': { kind: 'switch', text: 'do not let the customer cancel' },
  'bank-transfer': { kind: 'switch', text: 'offer bank transfer; not for a split link' },
  ...connectionFlags,
} as const

type Flags = FlagsOf<typeof createFlags>

export const create = command({
  text: 'create a payment link as your app would, and get its id and its pay link',
  flags: createFlags,
  examples: [
    'create --amount 100 --recipient rcpBikeCourierFakeToken0002=30 --note "Order 7"',
    'create --amount 12.50 --payment-endpoint http://localhost:3000/webhooks --json',
  ],
  async run({ flags }, io) {
    const fields = fieldsOf(flags)
    const key = flags.account === undefined ? readKey(flags, io) : undefined
    const address = await findAddress(flags, io)
    const sandbox = await (key === undefined ? connectAt(address) : connectIfAdmitted(address))
    if (sandbox === undefined) return createByKey(address, key!, fields, flags.json, io)

    const account = await ownerOf(sandbox, flags, io)
    const link = await account.createLink(fields)
    print(io, flags.json, link, () =>
      [`Link ${link.id} of ${account.name}: ${formatAmount(link.amount)}`, link.payLink].join('\n'),
    )
    return 0
  },
})

function fieldsOf(flags: Flags): LinkFields {
  const { amount } = flags
  if (amount === undefined) {
    throw new UsageError(
      'create requires --amount, in euros. Write npx paylink-sandbox create --amount 12.50.',
    )
  }
  return {
    ...readLinkFields({ ...flags, amount }),
    ...(flags['not-cancellable'] && { cancellable: false }),
    ...(flags['bank-transfer'] && { bankTransfer: true }),
  }
}

/**
 * Creates a link as an app does, with an API key and without the admin token. The response contains less than a link of the
 * control API.
 */
async function createByKey(
  { url, certificate }: Address,
  { value: key, name }: Secret,
  fields: LinkFields,
  isJson: boolean,
  io: CommandIo,
): Promise<number> {
  const fetch = await sandboxFetch(url, certificate)
  // Always sends the header that makes the sandbox answer the call itself, because only the control API knows whether there is an
  // upstream. If there is none, the header has no effect.
  const api = createApi(url, key, { fetch, upstream: url })
  const {
    id,
    amount,
    recipient_note: note,
    pay_link: payLink,
  } = await requestLink(api, fields).catch((error: unknown) => {
    throw isKeyUnknown(error) ? new UsageError(unknownKeyText(url, name)) : error
  })
  print(io, isJson, { id, amount, note, payLink }, () =>
    [`Link ${id}: ${formatAmount(amount)}`, payLink].join('\n'),
  )
  return 0
}

const KEY_ERRORS: readonly unknown[] = ['tokenRejected', 'tokenUnknown'] satisfies ApiErrorCode[]

const isKeyUnknown = (error: unknown): boolean =>
  error instanceof SandboxError && KEY_ERRORS.includes(error.problem.errorCode)
