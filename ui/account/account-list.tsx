import { accountList } from '../data/accounts.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { navigate, route } from '../browser/route.ts'
import { currentId } from './current-account.ts'
import { hasDrafts } from './drafts.ts'
import { NewAccount } from './new-account.tsx'
import { sections, type SectionName } from './section.tsx'

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
      <NewAccount />
    </nav>
  )
}

/** Links to the sections of the page. */
export function SectionList({ names }: { readonly names: readonly SectionName[] }) {
  const { account } = route.value
  return (
    <nav class="section-nav" aria-label="On this page">
      <ul>
        {names.map((name) => (
          <li key={name}>
            <a
              href={formatRoute({ screen: 'connect', tab: 'accounts', account, point: name })}
              // A second click on the same link scrolls to the section again.
              onClick={(event) => {
                event.preventDefault()
                navigate({ point: name }, 'replace')
              }}
            >
              {sections[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
