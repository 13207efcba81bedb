import type { AccountView } from '../../server/contract/views.ts'
import { accountList, accounts, reload } from '../accounts.ts'
import { route } from '../route.ts'
import { connection } from '../session.ts'
import { DownloadLinks } from '../shell/download-links.tsx'
import { AccountList, SectionList } from './account-list.tsx'
import { Assumptions, Behaviors } from './behaviors.tsx'
import { currentAccount } from './current-account.ts'
import { Invoices } from './invoices.tsx'
import { Keys } from './keys.tsx'
import { ResetButton } from './reset-button.tsx'
import { Section, sections, type SectionName } from './section.tsx'
import { BillingAddress, Settings } from './settings.tsx'
import { UrlList } from './url-list.tsx'

const everything = Object.keys(sections) as SectionName[]
const sandboxSections: readonly SectionName[] = ['behaviors', 'assumptions', 'report', 'reset']

export function AccountScreen() {
  const account = currentAccount.value
  return (
    <div class="account">
      <div class="aside">
        <AccountList />
        <SectionList names={account ? everything : sandboxSections} />
      </div>
      <div class="parts-of-account">
        <AccountNotice />
        {account && <OneAccount key={account.id} account={account} />}
        <Behaviors />
        <Assumptions />
        <Section name="report">
          <p>
            This run as one file, which anybody can open and read without the sandbox; or its requests and
            responses as an HTTP Archive (HAR), which browsers and test tools read. API keys are masked.
          </p>
          <div class="actions">
            <DownloadLinks class="button" />
          </div>
        </Section>
        <Section name="reset">
          <ResetButton />
        </Section>
      </div>
    </div>
  )
}

/** What there is to say before an account, or instead of one. */
function AccountNotice() {
  const loaded = accounts.value
  const { account: wanted } = route.value
  const account = currentAccount.value

  if (loaded.state === 'failed')
    return (
      <div class="condition" role="alert">
        <p class="wrong">The accounts could not be loaded: {loaded.reason}</p>
        <button type="button" onClick={reload}>
          Try again
        </button>
      </div>
    )
  if (loaded.state === 'loading')
    return (
      <p class="condition muted late">
        {connection.value === 'lost' ? 'The sandbox cannot be reached. ' : ''}Connecting to the sandbox…
      </p>
    )
  if (account?.environment === 'production')
    return (
      <p class="condition note">
        This is a production account. Its API key is refused here with “Incorrect token or missing token”, and
        nobody can give it a share: production keys belong to production.
      </p>
    )
  if (account) return null
  return (
    <p class="condition">
      {accountList.value.length > 0
        ? `There is no account ${wanted}. It may have been deleted; the others are in the list.`
        : 'There are no accounts. Make a new one, or reset the sandbox to bring the seeded ones back.'}
    </p>
  )
}

function OneAccount({ account }: { readonly account: AccountView }) {
  return (
    <>
      <Keys account={account} />
      <Settings account={account} />
      <UrlList account={account} path="callbackUrls" name="callback-urls">
        <p>
          Where the browser goes afterwards. <code>callback_url "0"</code> names the first. Of several entries
          only the first URL is used.
        </p>
      </UrlList>
      <UrlList account={account} path="webhookUrls" name="webhook-urls">
        <p>
          Where webhooks go. <code>payment_endpoint "0,https://shop.test/hooks"</code> mixes indexes and URLs;
          every target gets the same POST.
        </p>
      </UrlList>
      <BillingAddress account={account} />
      <Invoices account={account} />
    </>
  )
}
