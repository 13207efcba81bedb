import { ReportNote } from '../report/report-note.tsx'
import { connection } from '../session.ts'

const texts = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Reconnecting…',
  report: 'Report (read only)',
} as const

export function ConnectionChip() {
  return (
    <>
      <span class="connection" role="status" data-state={connection.value}>
        {texts[connection.value]}
      </span>
      {!CAN_ACT && <ReportNote />}
    </>
  )
}
