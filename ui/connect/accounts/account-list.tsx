import { accountList, accounts } from '../../data/accounts.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import { currentId } from './current-account.ts'
import { hasDrafts } from './drafts.ts'
import { NewAccount } from './new-account.tsx'

/** Links to all accounts, and a button for a new one. */
export function AccountList() {
  return (
    <nav class="accounts" aria-label="Accounts">
      <ul>
        {accountList.value.map(({ id, name, environment }) => (
          <li key={id}>
            <a
              href={formatRoute({ screen: 'connect', tab: 'accounts', account: id })}
              {...(id === currentId.value ? { 'aria-current': 'page' as const } : {})}
            >
              {name}
              <span class="muted">
                {environment}
                {hasDrafts(id) && <span class="unsaved"> · unsaved</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {accounts.value.state !== 'loading' && <NewAccount />}
    </nav>
  )
}
