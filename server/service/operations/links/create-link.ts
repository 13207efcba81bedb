import type { Link } from '../../../domain/links/link.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { Caller } from '../accounts/caller.ts'
import { insertLink, type LinkRequest } from './insert-link.ts'

interface BasicLinkRequest extends LinkRequest {
  /** Whether the checkout offers bank transfer, even if the account does not. */
  readonly bankTransfer: boolean
  readonly bankStatementDescription: string
}

/** Creates a link whose whole amount goes to its owner. */
export async function createLink(work: UnitOfWork, caller: Caller, request: BasicLinkRequest): Promise<Link> {
  const { bankTransfer, bankStatementDescription } = request
  caller.behaviors.markAssumptions('createLink')
  return insertLink(work, caller, request, {
    kind: 'basic',
    splitType: 'normal',
    recipients: [],
    bankTransfer: bankTransfer || caller.account.bankTransfer,
    bankStatementDescription,
  })
}
