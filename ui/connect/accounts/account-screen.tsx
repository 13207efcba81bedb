import type { AccountView } from '../../../server/contract/views.ts'
import { accountList, accounts } from '../../data/accounts.ts'
import { route, navigate } from '../../browser/route.ts'
import { connection } from '../../data/session.ts'
import { AccountList } from './account-list.tsx'
import { currentAccount } from './current-account.ts'
import { DraftForm } from './draft-form.tsx'
import { Invoices } from './invoices.tsx'
import { Keys } from './keys.tsx'
import { NotLoaded } from './not-loaded.tsx'
import { Section } from './section.tsx'
import { BillingAddress, Settings } from './settings.tsx'
import { UrlList } from './url-list.tsx'
import { request } from '../../data/api.ts'
import { showToast } from '../../browser/toasts.ts'
import { ConfirmButton } from './confirm-button.tsx'

export function AccountScreen() {
  const account = currentAccount.value
  return (
    <div class="account">
      <AccountList />
      <div class="account-main">
        <AccountNotice />
        {account && <OneAccount key={account.id} account={account} />}
      </div>
    </div>
  )
}

/** A notice above the account, or instead of it. */
function AccountNotice() {
  const loaded = accounts.value
  const { account: accountId } = route.value
  const account = currentAccount.value

  if (loaded.state === 'failed')
    return (
      <div class="account-notice">
        <NotLoaded of={{ state: 'failed', reason: `The accounts could not be loaded: ${loaded.reason}` }} />
      </div>
    )
  if (loaded.state === 'loading')
    return (
      <p class="account-notice muted delayed">
        {connection.value === 'lost' ? 'The sandbox cannot be reached. ' : ''}Connecting to the sandbox…
      </p>
    )
  if (account?.environment === 'production')
    return (
      <p class="account-notice note">
        This is a production account. The sandbox rejects its API key with “Incorrect token or missing token”,
        and it cannot receive a share.
      </p>
    )
  if (account) return null
  return (
    <p class="account-notice">
      {accountList.value.length > 0
        ? `There is no account “${accountId}”. It may have been deleted. Select another one in the list.`
        : 'There are no accounts. Create one, or reset the sandbox to load the seed.'}
    </p>
  )
}

function OneAccount({ account }: { readonly account: AccountView }) {
  return (
    <DraftForm account={account}>
      <Keys account={account} />
      <Settings account={account} />
      <UrlList account={account} path="callbackUrls" name="callback-urls">
        <p>
          The sandbox redirects the browser here after a payment. <code>callback_url "0"</code> selects the
          first entry. If a link names several, only the first is used.
        </p>
      </UrlList>
      <UrlList account={account} path="webhookUrls" name="webhook-urls">
        <p>
          Webhooks are sent here. <code>payment_endpoint "0,https://shop.test/hooks"</code> combines an index
          and a URL. Each target receives the same POST.
        </p>
      </UrlList>
      <BillingAddress account={account} />
      <Invoices account={account} />
      <Section name="reset">
        <div class="actions">
          <ResetAccount account={account} />
          <DeleteAccount account={account} />
        </div>
      </Section>
    </DraftForm>
  )
}

const ResetAccount = ({ account: { id, name } }: { readonly account: AccountView }) => (
  <ConfirmButton
    label="Reset this account…"
    class="danger-text"
    question={`Reset ${name}?`}
    yes="Reset"
    action={() => request('POST /accounts/:id/reset', { param: { id }, json: {} })}
    onDone={() => showToast({ tone: 'ok', text: `${name} was reset` })}
  >
    This restores the account’s original settings and keys, deletes its links, webhooks, refunds, invoices,
    events and behaviors, and restarts its ids. Other accounts do not change. This cannot be undone.
  </ConfirmButton>
)

const DeleteAccount = ({ account: { id, name } }: { readonly account: AccountView }) => (
  <ConfirmButton
    label="Delete account…"
    class="danger-text"
    question={`Delete ${name}?`}
    yes="Delete"
    action={() => request('DELETE /accounts/:id', { param: { id } })}
    onDone={() => {
      showToast({ tone: 'ok', text: `${name} deleted` })
      navigate({ account: undefined, point: undefined }, 'replace')
    }}
  >
    This also deletes its keys, invoices, events and behaviors. This cannot be undone.
  </ConfirmButton>
)
