import { ReportNote } from '../report/report-note.tsx'
import { connection } from '../session.ts'

const texts = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Reconnecting…',
  report: '',
} as const

export function ConnectionChip() {
  return (
    <>
      <span class="connection" role="status" data-state={connection.value}>
        {CAN_ACT ? texts[connection.value] : 'Report (read only)'}
      </span>
      {!CAN_ACT && <ReportNote />}
    </>
  )
}
