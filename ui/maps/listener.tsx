import type { TunnelView } from '../../server/contract/views.ts'
import { plural } from '../../server/format/values.ts'
import { api, withErrorToast } from '../api.ts'
import { Time } from '../shell/time.tsx'

interface Props {
  readonly tunnel: string
  readonly listener: TunnelView['listeners'][number]
}

/** Who takes what reaches a tunnel: whether they are there, and what waits for them. Who is away has a line only. */
export function Listener({ tunnel, listener: { id, to, state, target, awaySince, waiting } }: Props) {
  const isHere = state === 'connected'
  return (
    <p class="foot listener">
      <span title={`→ ${to}`}>
        <span class="status" data-tone={isHere ? 'ok' : 'warn'}>
          {isHere ? '✓ listens' : '○ away'}
        </span>{' '}
        <strong>{id}</strong> {isHere && <span class="muted">→ {to}</span>}
      </span>
      <span class="muted">
        {waiting === 0
          ? 'Nothing waits'
          : `${plural(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'}`}
        {awaySince !== null && (
          <>
            , away since <Time at={awaySince} style="since" />
          </>
        )}
        {target === 'down' && (
          <>
            , <span class="wrong">✕ the app is down</span>
          </>
        )}
      </span>
      <button
        type="button"
        class="small"
        aria-label={`Forget listener ${id}`}
        onClick={() => forget(tunnel, id)}
      >
        Forget
      </button>
    </p>
  )
}

const forget = (name: string, id: string): Promise<unknown> =>
  withErrorToast(() => api.tunnels[':name'].listeners[':id'].$delete({ param: { name, id } }))
