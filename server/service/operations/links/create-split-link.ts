import type { Account } from '../../../domain/accounts/account.ts'
import type { Link, Recipient } from '../../../domain/links/link.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import { splitPayment, type SplitType } from '../../../domain/money/split.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { Caller } from '../accounts/caller.ts'
import { insertLink, type LinkRequest } from './insert-link.ts'

interface SplitLinkRequest extends LinkRequest {
  readonly splitType: SplitType
  readonly shares: readonly Pick<Recipient, 'token' | 'share'>[]
}

/** Creates a link whose payment is divided among recipients. */
export async function createSplitLink(
  work: UnitOfWork,
  caller: Caller,
  request: SplitLinkRequest,
): Promise<Link> {
  const { splitType, shares } = request
  const known = await accounts.withRecipientTokens(
    work.db,
    shares.map(({ token }) => token),
  )
  const parties = shares.map(({ token, share }, index) => {
    const recipient = known.get(token)
    // The service does not know tokens of another environment.
    if (recipient?.environment !== 'development') throw apiError('recipientUnknown', index)
    return assertShareAllowed(caller.account, recipient, share, index)
  })

  if (known.size < shares.length) caller.behaviors.markAssumptions('repeatedEntries')
  if (splitType === 'normal') caller.behaviors.markAssumptions('shareRounding')
  const payout = splitPayment(
    request.amount,
    splitType,
    shares.map(({ share }) => share),
  )
  caller.behaviors.markAssumptions('payoutFees')
  const recipients = shares.map(({ token, share }, index): Recipient => ({
    accountId: parties[index]!.id,
    token,
    share,
    amount: payout.recipients[index]!,
  }))
  return insertLink(work, caller, request, {
    kind: 'split',
    splitType,
    recipients,
    bankTransfer: caller.account.bankTransfer,
    bankStatementDescription: '',
  })
}

function assertShareAllowed(owner: Account, party: Account, share: number, index: number): Account {
  if (party.id === owner.id) throw apiError('recipientIsOwner', index)
  if (share <= 0) throw apiError('shareNotPositive', index)
  return party
}
