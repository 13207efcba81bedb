import type { SandboxAccount } from '../client/account.ts'
import type { Sandbox } from '../client/connect-sandbox.ts'
import { ToolError } from './explain-failure.ts'

/** The account with this id or name. Without `idOrName`, the first account of the development environment. */
export async function findSandboxAccount(
  sandbox: Sandbox,
  idOrName: string | undefined,
): Promise<SandboxAccount> {
  const all = await sandbox.accounts()
  const account =
    idOrName === undefined
      ? all.filter(({ environment }) => environment === 'development').slice(0, 1)
      : (byId(all, idOrName) ?? all.filter(({ name }) => name === idOrName))
  if (account.length === 1) return account[0]!
  if (idOrName === undefined) {
    throw new ToolError(
      'The sandbox has no account of the development environment. Pass the account to use as account.',
    )
  }
  throw new ToolError(
    account.length > 1
      ? 'Several accounts have this name. Pass the id of one.'
      : 'No account has this id or name. sandbox_status lists the accounts.',
    { account: idOrName },
  )
}

const byId = (all: readonly SandboxAccount[], wanted: string): SandboxAccount[] | undefined => {
  const account = all.find(({ id }) => id === wanted)
  return account && [account]
}
