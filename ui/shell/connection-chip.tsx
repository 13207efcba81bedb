import { connection } from '../data/session.ts'

const texts = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Reconnecting…',
  loggedOut: 'Session expired.',
  report: 'Report (read only)',
} as const

export function ConnectionChip() {
  return (
    <span class="connection" role="status" data-state={connection.value}>
      {texts[connection.value]}
      {/* In another tab, so that this one keeps unsaved input. */}
      {connection.value === 'loggedOut' && (
        <>
          {' '}
          <a href="./" target="_blank">
            Log in
          </a>
        </>
      )}
    </span>
  )
}
