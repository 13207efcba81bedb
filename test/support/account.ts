import type { CreatedLink, OpenSandbox } from './sandbox.ts'

export interface CreatedAccount {
  readonly id: string
  readonly name: string
  readonly apiKey: string
  readonly recipientToken: string
}

type Calls = Pick<OpenSandbox, 'call' | 'control'>

/** Creates an account, and throws if that fails. */
export async function createAccount({ control }: Calls, order: object = {}): Promise<CreatedAccount> {
  const { status, answer } = await control('POST', '/accounts', order)
  if (status !== 201) throw new Error(JSON.stringify(answer))
  return answer
}

/** Creates a link of €100 for an account. */
export async function createLinkFor(
  { call }: Calls,
  { apiKey }: Pick<CreatedAccount, 'apiKey'>,
): Promise<CreatedLink> {
  const { envelope } = await call<CreatedLink>('createLink', { amount: 100 }, { token: apiKey })
  if (envelope.ResponseCode !== 1) throw new Error(envelope.ResponseMsg)
  return envelope.data
}
