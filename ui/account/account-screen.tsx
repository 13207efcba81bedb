import { accounts } from '../accounts.ts'
import { reportUrl } from '../urls.ts'
import { AccountCard } from './account-card.tsx'
import { Behaviors } from './behaviors.tsx'
import { ResetButton } from './reset-button.tsx'

export function AccountScreen() {
  const loaded = accounts.value
  return (
    <div class="page account">
      <section aria-labelledby="accounts">
        <h2 id="accounts">Accounts</h2>
        {loaded.state === 'loading' && <p class="muted late">Loading…</p>}
        {loaded.state === 'failed' && <p class="muted">{loaded.reason}</p>}
        {loaded.state === 'loaded' && loaded.value.length === 0 && (
          <p class="muted">There are none. A reset brings the seeded ones back.</p>
        )}
        {loaded.state === 'loaded' && (
          <div class="cards">
            {loaded.value.map((account) => (
              <AccountCard key={account.id} account={account} />
            ))}
          </div>
        )}
      </section>
      <Behaviors />
      <section aria-labelledby="report">
        <h2 id="report">Report</h2>
        <p>This run as one file, which anybody can open and read without the sandbox. API keys are masked.</p>
        <a class="button" href={reportUrl} download>
          Download report
        </a>
      </section>
      <section aria-labelledby="reset">
        <h2 id="reset">Reset</h2>
        <ResetButton />
      </section>
    </div>
  )
}
