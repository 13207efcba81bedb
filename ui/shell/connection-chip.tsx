import { ReportNote } from './report-note.tsx'
import { connection } from '../data/session.ts'

const texts = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Reconnecting…',
  loggedOut: 'Session expired.',
  report: '',
} as const

export function ConnectionChip() {
  return (
    <>
      <span class="connection" role="status" data-state={connection.value}>
        {CAN_ACT ? texts[connection.value] : 'Report (read only)'}
        {/* In another tab, so that this one keeps unsaved input. */}
        {CAN_ACT && connection.value === 'loggedOut' && (
          <>
            {' '}
            <a href="./" target="_blank">
              Log in
            </a>
          </>
        )}
      </span>
      {!CAN_ACT && <ReportNote />}
    </>
  )
}
