import { accountName } from '../data/accounts.ts'
import { plural } from '../../server/contract/format/values.ts'
import { Time } from '../components/time.tsx'
import { report } from '../data/report/report.ts'

/** When the report was created, the version that created it, and what is missing in it. */
export function ReportNote() {
  const loaded = report.value
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed') {
    return <p class="report-note">This file is damaged. Download the report again.</p>
  }
  const { about, madeAt, version, account, leftOut, bytesFrom } = loaded.value.header
  const oldest = [...loaded.value.events.keys()][0] ?? null
  return (
    <p class="report-note">
      {about !== null && <strong>{about} </strong>}
      Created <Time at={madeAt} style="full" /> with version {version}
      {account !== null && `, for ${accountName(account)} only`}. API keys and headers with secrets are
      masked.
      {leftOut > 0 && ` ${plural(leftOut, 'older event')} left out.`}
      {bytesFrom !== oldest &&
        (bytesFrom === null
          ? ' Requests and responses are left out.'
          : ` Requests and responses before event ${bytesFrom} are left out.`)}
    </p>
  )
}
