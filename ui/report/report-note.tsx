import { accountName } from '../accounts.ts'
import { plural } from '../../server/format/values.ts'
import { Time } from '../shell/time.tsx'
import { report } from './report.ts'

/** When and by what the report was made, and what is not in it. */
export function ReportNote() {
  const loaded = report.value
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed') {
    return (
      <p class="report-note">This file is damaged and cannot be read. Make or download the report again.</p>
    )
  }
  const { madeAt, version, account, leftOut, bytesFrom } = loaded.value.head
  const oldest = [...loaded.value.events.keys()][0] ?? null
  return (
    <p class="report-note">
      Made <Time at={madeAt} style="full" /> by version {version}
      {account !== null && `, of ${accountName(account)} alone`}. API keys and headers that hold a secret are
      masked.
      {leftOut > 0 && ` ${plural(leftOut, 'older event')} had no room.`}
      {bytesFrom !== oldest &&
        (bytesFrom === null
          ? ' Requests and responses had no room.'
          : ` Requests and responses before event ${bytesFrom} had no room.`)}
    </p>
  )
}
