import type { ShownTunnel } from '../../server/control/present.ts'
import { plural } from '../../server/words/format.ts'
import { api, attempt } from '../api.ts'
import { Time } from '../shell/time.tsx'

interface Props {
  readonly tunnel: string
  readonly listener: ShownTunnel['listeners'][number]
}

/** Who takes what reaches a tunnel: whether they are there, and what waits for them. */
export function Listener({ tunnel, listener: { id, to, state, target, awaySince, waiting } }: Props) {
  return (
    <div class="listener">
      <p>
        {state === 'connected' ? (
          <span class="status" data-tone="ok">
            ✓ listens
          </span>
        ) : (
          <span class="status" data-tone="warn">
            ○ away
          </span>
        )}{' '}
        <strong>{id}</strong> <span class="muted">→ {to}</span>
      </p>
      <p class="foot muted">
        <span>
          {waiting === 0
            ? 'Nothing waits'
            : `${plural(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'}`}
          {awaySince !== null && (
            <>
              , away since <Time at={awaySince} />
            </>
          )}
          {target === 'down' && (
            <>
              , <span class="wrong">✕ the app is down</span>
            </>
          )}
        </span>
        <button type="button" aria-label={`Forget listener ${id}`} onClick={() => forget(tunnel, id)}>
          Forget
        </button>
      </p>
    </div>
  )
}

const forget = (name: string, id: string): Promise<unknown> =>
  attempt(() => api.tunnels[':name'].listeners[':id'].$delete({ param: { name, id } }))
